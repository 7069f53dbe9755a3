"""The door of a server with TLS: what comes to one port is handed on to another, decrypted."""
import asyncio
import ssl
import sys

BLOCK = 1 << 16


async def hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while block := await reader.read(BLOCK):
            writer.write(block)
            await writer.drain()
    except OSError:
        pass  # one side has hung up
    finally:
        writer.close()


async def serve(port: int, behind: int, certificate: str, key: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", behind)
        await asyncio.gather(hand_on(reader, inner_writer), hand_on(inner_reader, writer))

    server = await asyncio.start_server(enter, "127.0.0.1", port, ssl=context)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]))
