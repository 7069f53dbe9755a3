# Built from the archive of sources that `make dist` makes:
#   nix-build -E 'with import <nixpkgs> { }; callPackage ./package.nix { src = ./roundel-0.1.0.tar.xz; }'
# File managers look for plugins where their own packages are. `roundel setup` has Caja and Dolphin find these; the others take
# them where their packages are put together with extensions.
{ lib, stdenv, src, version ? "0.1.0", swift, cmake, extra-cmake-modules, gettext, pkg-config, python3, caja, dbus, expat, fuse3, libadwaita
, glib, kio, kiconthemes, kwindowsystem, nautilus, nemo, openssl, qtbase, sqlite, thunar, zlib }:

stdenv.mkDerivation {
  pname = "roundel";
  inherit version src;

  nativeBuildInputs = [ swift cmake extra-cmake-modules gettext pkg-config python3 ];
  buildInputs = [
    caja dbus expat glib libadwaita kio kiconthemes kwindowsystem nautilus nemo openssl qtbase sqlite thunar zlib
  ];
  dontUseCmakeConfigure = true;
  dontWrapQtApps = true;

  buildPhase = ''
    runHook preBuild
    make release plugins translations PREFIX=$out
    runHook postBuild
  '';

  installPhase = ''
    runHook preInstall
    make install PREFIX=$out AUTOSTART=$out/etc/xdg/autostart
    runHook postInstall
  '';

  meta = {
    description = "Sync badges, menus and status in file managers";
    license = with lib.licenses; [ asl20 mit ];
    platforms = lib.platforms.linux;
    mainProgram = "roundel";
  };
}
