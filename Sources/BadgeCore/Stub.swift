// BadgeCore
