import * as Phaser from 'phaser';
import { adsClient } from '../adsClient.js';
import { visit } from '../session.js';
import { AccountCard } from '../ui/AccountCard.js';
import { Button, iconButton, stackIcons, text } from '../ui/Button.js';
import { Courier } from '../world/Courier.js';
import { MENU_COLUMN_WIDTH } from '../art/paintUi.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from '../world/layout.js';
import { cameraMiddleY, Street } from '../world/Street.js';
import { art, zoomTo } from '../resolution.js';
import { TOGGLE_OVERLAY } from './HudScene.js';
import { SceneKey } from './sceneKeys.js';

const CRUISE = 70;
/** Middle of the title and of what lies below it. */
const MENU_X = 160;

/** Title, play, account; behind them the street goes by. */
export class MainMenuScene extends Phaser.Scene {
  private street!: Street;
  private courier!: Courier;
  private isLeaving = false;
  private cardIsOpen = false;

  constructor() {
    super(SceneKey.MENU);
  }

  create(): void {
    this.isLeaving = false;
    this.cardIsOpen = false;
    zoomTo(this.cameras.main, 1);
    this.cameras.main.setScroll(-300, cameraMiddleY(1) - VIEW_HEIGHT / 2);
    this.street = new Street(this, visit.surfaces, visit.seed, true);
    this.street.flyers.blimp.x = 320;
    const nothing = () => undefined;
    this.courier = new Courier(this, this.street.layer, { onJump: nothing, onLand: nothing, onDash: nothing });
    this.courier.cruise = CRUISE;

    const fixed = <T extends Phaser.GameObjects.Components.ScrollFactor & Phaser.GameObjects.Components.Depth>(
      object: T,
    ): T => {
      object.setScrollFactor(0);
      object.setDepth(200);
      return object;
    };
    fixed(art(this.add.image(0, 0, 'menu-column')).setOrigin(0)).setName('menu column');
    const title = fixed(art(this.add.image(MENU_X, 138, 'title'), 0.76)).setName('title');
    this.tweens.add({ targets: title, y: 144, duration: 1900, ease: 'Sine.inOut', yoyo: true, repeat: -1 });
    const play = new Button(this, MENU_X, 262, 'Play', () => this.play(), { primary: true });
    play.fix(200);
    const account = new Button(this, MENU_X, 344, 'Sign in', () => this.toggleCard(), { scale: 0.86 });
    account.fix(200);
    if (visit.best > 0)
      fixed(
        text(this, MENU_X, 392, `best ride ${visit.best}`, 15, '#ffe7b8', '700').setOrigin(0.5).setStroke('#1a1440', 4),
      ).setName('best');
    const help = this.sys.game.device.input.touch
      ? 'tap right: jump   ·   tap left: dash'
      : 'Space  jump     Shift  dash     P  pause     V  what the ads measure';
    fixed(
      text(this, (MENU_COLUMN_WIDTH + VIEW_WIDTH) / 2, VIEW_HEIGHT - 18, help, 15, '#ffffff', '600')
        .setOrigin(0.5)
        .setStroke('#0b0d26', 4),
    ).setName('help');
    stackIcons(this, [fixed(iconButton(this, 'icon-eye', () => this.game.events.emit(TOGGLE_OVERLAY)))]);

    const client = adsClient(this.game);
    const card = new AccountCard(this, client, () => this.toggleCard());
    card.setVisible(false);
    this.showCard = (open) => card.setVisible(open);
    const showPlayer = () =>
      account.setText(
        client.session.player?.displayName ?? (client.session.state === 'pending' ? 'Waiting…' : 'Sign in'),
      );
    showPlayer();
    client.on('sessionchange', showPlayer);
    this.events.once('shutdown', () => client.off('sessionchange', showPlayer));

    this.input.keyboard?.on('keydown-ENTER', play.press, play);
    this.input.keyboard?.on('keydown-SPACE', play.press, play);
    this.input.keyboard?.on('keydown-ESC', () => this.cardIsOpen && this.toggleCard());
    this.cameras.main.fadeIn(450, 11, 13, 38);
    this.street.update(0, 0);
  }

  override update(_time: number, delta: number): void {
    const dt = Math.min(delta / 1000, 0.06);
    this.courier.update(dt, this.street.sky.lamps);
    // The courier rides on the right: the left belongs to the title.
    this.cameras.main.setScroll(this.courier.x - 560, cameraMiddleY(1) - VIEW_HEIGHT / 2);
    this.street.update(dt, this.courier.speed);
  }

  private showCard: (open: boolean) => void = () => undefined;

  private toggleCard(): void {
    this.cardIsOpen = !this.cardIsOpen;
    this.showCard(this.cardIsOpen);
  }

  private play(): void {
    if (this.isLeaving || this.cardIsOpen) return;
    this.isLeaving = true;
    this.cameras.main.fadeOut(300, 11, 13, 38);
    this.cameras.main.once('camerafadeoutcomplete', () => this.scene.start(SceneKey.GAME));
  }
}
