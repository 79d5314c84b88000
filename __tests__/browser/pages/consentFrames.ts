import { ConsentSource } from 'phaser-inview/consent';

declare global {
  interface Window {
    consent?: ConsentSource;
    /** Times the game was told of a change. */
    changes?: number;
  }
}

window.consent = new ConsentSource();
window.changes = 0;
window.consent.watch(() => {
  window.changes!++;
});
