export const SceneKey = {
  BOOT: 'Boot',
  PRELOADER: 'Preloader',
  MENU: 'MainMenu',
  GAME: 'Game',
  HUD: 'Hud',
  PAUSE: 'Pause',
  GAME_OVER: 'GameOver',
} as const;
