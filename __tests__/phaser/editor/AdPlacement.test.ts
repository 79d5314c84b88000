import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import AdPlacement from '../../../editor/AdPlacement.js';
import { TestGame } from '../support/TestGame.js';

afterEach(() => TestGame.endAll());

const SOURCE = resolve(__dirname, '../../../editor/AdPlacement');

interface Described {
  readonly name: string;
  readonly gameObjectType: string;
  readonly properties: readonly { readonly name: string; readonly defValue: unknown; readonly type: { readonly options?: readonly string[] } }[]; // prettier-ignore
}

it('the component that the editor shows is the class that runs: names, types, defaults', async () => {
  const { components } = JSON.parse(readFileSync(`${SOURCE}.components`, 'utf8')) as {
    components: readonly Described[];
  };
  const [described] = components;
  const test = await TestGame.start();
  const made = new AdPlacement(test.scene().add.image(0, 0, '__DEFAULT'));
  expect([components.length, described!.name]).toEqual([1, AdPlacement.name]);
  expect(Object.fromEntries(described!.properties.map(({ name, defValue }) => [name, defValue]))).toEqual({
    adSurfaceId: made.adSurfaceId,
    fit: made.fit,
    clickable: made.clickable,
  });
  const options = described!.properties.flatMap(({ type }) => type.options ?? []);
  expect(readFileSync(`${SOURCE}.ts`, 'utf8')).toContain(
    `public fit: ${options.map((one) => `'${one}'`).join(' | ')} `,
  );
});

it('hangs the ad where the image is, behind and before the same objects, and hides the image', async () => {
  const test = await TestGame.start();
  const scene = test.scene();
  const container = scene.add.container(50, 20);
  const image = scene.add.image(10, 20, '__DEFAULT').setOrigin(0).setDisplaySize(200, 100).setName('roof');
  const above = scene.add.rectangle(0, 0, 5, 5);
  container.add([image, above]);
  const component = new AdPlacement(image);
  component.adSurfaceId = 'billboard';
  component.fit = 'stretch';
  test.step(1);

  const { ad } = AdPlacement.getComponent(image);
  await ad!.ready;
  test.step(1);
  expect([ad!.surface?.adSurfaceId, ad!.sprite.name, image.visible]).toEqual(['billboard', 'roof', false]);
  const { x, y, displayWidth, displayHeight } = ad!.sprite;
  expect([x, y, displayWidth, displayHeight]).toEqual([110, 70, 200, 100]);
  expect([image, ad!.sprite, above].map((object) => container.list.indexOf(object))).toEqual([1, 0, 2]);

  image.destroy();
  expect(ad!.state).toBe('finished');
  const early = scene.add.image(0, 0, '__DEFAULT');
  new AdPlacement(early);
  early.destroy();
  expect(() => test.step(1)).not.toThrow();
});
