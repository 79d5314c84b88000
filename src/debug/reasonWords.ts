/** Why an ad is not wholly in view, as a sentence that says what to do. Reasons of a frame, and of frames that are missing. */
const SENTENCES: Readonly<Record<string, string>> = {
  notFound: 'The sprite is destroyed or on no display list. Add it to the scene, and keep it while the ad is needed.',
  hidden:
    'The sprite is not drawn. Check visible, scale, camera.ignore(), and that its scene is visible and not asleep.',
  transparent: 'The ad is too transparent. Raise the alpha of the sprite, its container or the camera above 0.5.',
  backgrounded: 'The page is hidden. Bring this browser tab to the front.',
  noWindowFocus: 'The window has no focus. Click into the game. Most standards count nothing without focus.',
  viewport: 'The ad is off screen. Move the camera to it, or the ad into the picture.',
  clipped: 'The ad is cut by the edge of the screen, a camera, the page or a mask. Move it inwards.',
  // Game objects and elements are named instead, where it is known which they are.
  obstructed: 'A fade or flash of the camera, or HTML of the page, covers the ad. End it, or move it off the ad.',
  unmeasurable:
    'It is not known what the player sees here, because of a shader, an effect or a custom object. See "Limits" in the docs.',
  notLoaded: 'The ad is still loading; a placeholder is shown. Wait, or load it earlier with preload().',
  contextLost: 'The browser has taken the graphics context away. The game is drawn again once it is given back.',
  sceneAsleep: 'The scene of the ad is asleep and not drawn. Wake it up.',
  gamePaused: 'The whole game is paused and draws no frames.',
  stall: 'There was no frame for too long. Time without frames does not count.',
  notPlaying:
    'The video does not play. It plays while at least half of it is in view; time in which it stands still does not count.',
};

/** Why an ad is not wholly in view, in words a developer can act on. An unknown reason comes back as it is. */
export function reasonWords(reason: string): string {
  return SENTENCES[reason] ?? reason;
}
