// RoundelBus
