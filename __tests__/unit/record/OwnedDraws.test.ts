import { OwnedDraws } from '../../../src/record/draws/OwnedDraws.js';

/** Tells whose each draw was when its batch went out. */
class Draws extends OwnedDraws {
  readonly drawn: [what: string, whose: object | null][] = [];
  private batch: string[] = [];

  draw(what: string): void {
    this.batch.push(what);
  }

  override finishBatch(): void {
    for (const what of this.batch.splice(0)) this.drawn.push([what, this.marks.last]);
  }
}

it('what is drawn after an ad without a word of whose it is belongs to nobody', () => {
  const draws = new Draws();
  const [ad, child, other] = [{ name: 'ad' }, { name: 'child' }, { name: 'other' }];
  draws.mark(other);
  draws.draw('before');
  draws.drawAs(ad, () => {
    draws.mark(ad);
    draws.draw('the ad');
    draws.drawAs(child, () => draws.draw('a part of it'));
    draws.mark(child);
    draws.draw('another part');
  });
  draws.draw('an unknown one');
  draws.mark(other);
  draws.draw('after');
  draws.finishBatch();
  expect(draws.drawn).toEqual([
    ['before', other],
    ['the ad', ad],
    ['a part of it', ad],
    ['another part', ad],
    ['an unknown one', null],
    ['after', other],
  ]);
});
