import DBus
print(1)
