// BadgeService
