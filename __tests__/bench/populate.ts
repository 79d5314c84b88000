import type * as Phaser from 'phaser';
import { seededRandom } from './seededRandom.js';
import { HEIGHT, WIDTH } from './startGame.js';

/** What stands in the scene. */
export interface Population {
  /** All game objects together: ads, objects over ads, objects elsewhere. */
  readonly objects: number;
  /** 1, 4 or 16; laid out as a square grid. */
  readonly ads: number;
  /** Objects that really overlap each ad. */
  readonly overlaps: number;
  /** Share of the objects that moves and turns in every frame, 0–1. */
  readonly movingRatio: number;
  /** Share of the objects that lie in containers of twenty, 0–1. */
  readonly containersRatio: number;
  /** Opacity of the objects, 0–1; from half on each of them blocks by itself. */
  readonly alpha: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Slot extends Place {
  readonly scale: number;
  readonly rotation: number;
  /** Half the diagonal of the ad: what is further away cannot touch it. */
  readonly radius: number;
}

const AD_WIDTH = 300;
const AD_HEIGHT = 250;
const TEXTURES = 8;
const PER_CONTAINER = 20;
/** No object reaches further than this from its position: half the diagonal of the largest texture at full scale. */
const REACH = 48;
/** The world is this much larger than the canvas on each side, as a scrolling game's is. */
const MARGIN = 300;

/**
 * Fills the scene from a seed: ads at the bottom, over them sprites of several sizes with random scale and rotation.
 * The camera stands still and the objects circle by three pixels, so every frame costs about the same.
 *
 * @returns the ads
 */
export function populate(scene: Phaser.Scene, population: Population, seed: number): Phaser.GameObjects.Image[] {
  const random = seededRandom(seed);
  makeTextures(scene);
  const slots = layOutSlots(population.ads);
  const ads = slots.map(({ x, y, scale, rotation }) =>
    scene.add.image(x, y, 'ad').setScale(scale).setRotation(rotation),
  );

  const places = [
    ...slots.flatMap((slot) => Array.from({ length: population.overlaps }, () => placeOver(slot, random))),
    ...Array.from({ length: population.objects - population.ads * (1 + population.overlaps) }, () =>
      placeElsewhere(slots, random),
    ),
  ];
  shuffle(places, random);

  const containers = Math.floor((places.length * population.containersRatio) / PER_CONTAINER);
  const groups = [
    ...Array.from({ length: containers }, (_, i) => places.slice(i * PER_CONTAINER, (i + 1) * PER_CONTAINER)),
    ...places.slice(containers * PER_CONTAINER).map((place) => [place]),
  ];
  shuffle(groups, random);

  const sprites: Phaser.GameObjects.Sprite[] = [];
  for (const group of groups) {
    const made = group.map(({ x, y }) => scene.add.sprite(x, y, `object${Math.floor(random() * TEXTURES)}`));
    for (const sprite of made) {
      sprite.setScale(0.4 + random() * 0.6, 0.4 + random() * 0.6).setRotation(random() * Math.PI * 2);
      sprite.setAlpha(population.alpha);
    }
    if (group.length > 1) contain(scene, made, random);
    sprites.push(...made);
  }
  keepMoving(
    scene,
    sprites.filter(() => random() < population.movingRatio),
    random,
  );
  return ads;
}

/** Pictures, as games load them: what is drawn on a canvas of one's own may change at any time, and is read again. */
function makeTextures(scene: Phaser.Scene): void {
  addPicture(scene, 'ad', AD_WIDTH, AD_HEIGHT);
  for (let i = 0; i < TEXTURES; i++) addPicture(scene, `object${i}`, 32 + 4 * i, 64 - 4 * i);
}

function addPicture(scene: Phaser.Scene, key: string, width: number, height: number): void {
  const picture = document.createElement('img');
  picture.width = width;
  picture.height = height;
  scene.textures.addImage(key, picture);
}

function layOutSlots(ads: number): Slot[] {
  const side = Math.sqrt(ads);
  const scale = [1, 0.6, 0.45, 0.35][side - 1];
  if (scale === undefined) throw new RangeError('ads: 1, 4, 9 or 16');
  return Array.from({ length: ads }, (_, i) => ({
    x: (((i % side) + 0.5) * WIDTH) / side,
    y: ((Math.floor(i / side) + 0.5) * HEIGHT) / side,
    scale,
    rotation: i % 2 === 0 ? 0 : 0.3,
    radius: (Math.hypot(AD_WIDTH, AD_HEIGHT) / 2) * scale,
  }));
}

/** Near enough to the middle that the object lies over the ad whatever its own rotation. */
function placeOver(slot: Slot, random: () => number): Place {
  const angle = random() * Math.PI * 2;
  const distance = random() * slot.radius * 0.55;
  return { x: slot.x + Math.cos(angle) * distance, y: slot.y + Math.sin(angle) * distance };
}

function placeElsewhere(slots: readonly Slot[], random: () => number): Place {
  for (;;) {
    const x = random() * (WIDTH + 2 * MARGIN) - MARGIN;
    const y = random() * (HEIGHT + 2 * MARGIN) - MARGIN;
    if (slots.every((slot) => Math.hypot(x - slot.x, y - slot.y) > slot.radius + REACH)) return { x, y };
  }
}

/** Puts sprites into a rotated container in such a way that each stays where it is. */
function contain(scene: Phaser.Scene, sprites: Phaser.GameObjects.Sprite[], random: () => number): void {
  const [first] = sprites;
  if (!first) return;
  const container = scene.add.container(first.x, first.y).setRotation(random() * Math.PI * 2);
  const cos = Math.cos(-container.rotation);
  const sin = Math.sin(-container.rotation);
  for (const sprite of sprites) {
    const x = sprite.x - container.x;
    const y = sprite.y - container.y;
    sprite.setPosition(x * cos - y * sin, x * sin + y * cos);
  }
  container.add(sprites);
}

function keepMoving(scene: Phaser.Scene, sprites: Phaser.GameObjects.Sprite[], random: () => number): void {
  const orbits = sprites.map((sprite) => ({ sprite, x: sprite.x, y: sprite.y, phase: random() * Math.PI * 2 }));
  let angle = 0;
  scene.events.on('update', () => {
    angle += 0.05;
    for (const { sprite, x, y, phase } of orbits) {
      sprite.x = x + 3 * Math.sin(angle + phase);
      sprite.y = y + 3 * Math.cos(angle + phase);
      sprite.rotation += 0.01;
    }
  });
}

function shuffle(items: unknown[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
}
