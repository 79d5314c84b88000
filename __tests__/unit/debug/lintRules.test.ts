import fc from 'fast-check';
import { evenly } from '../../helpers/evenly.js';
import { FrameFaults } from '../../../src/debug/lint/FrameFaults.js';
import type { LintRule } from '../../../src/debug/lint/LintRule.js';
import type { PlacementFacts } from '../../../src/debug/lint/PlacementFacts.js';
import {
  alwaysCovered,
  behindBackground,
  creativeCropped,
  creativeScaled,
  LINT_RULES,
  mirrored,
  outsideCameraPath,
  squeezed,
  surfaceTwice,
  tooBrief,
  tooSmall,
} from '../../../src/debug/lint/rules.js';
import { type SeenBefore, type SeenFrame, SeenSoFar } from '../../../src/debug/lint/SeenSoFar.js';

const CLEAN_FRAME = { screenPercentage: 5, squeezeRatio: 1, background: null };
const CLEAN_PICTURE = { magnification: 1, distortion: 1, isMirrored: false, shownShare: 1 };

/** Of a placement that nothing is wrong with. */
function facts(differences: Partial<PlacementFacts> = {}): PlacementFacts {
  return {
    frame: CLEAN_FRAME,
    picture: CLEAN_PICTURE,
    canvas: { width: 960, height: 540 },
    followsWindow: false,
    screens: [{ width: 1920, height: 1080 }],
    isOutOfBounds: false,
    twin: null,
    inViewMs: 0,
    wasScreenFree: true,
    seen: null,
    ...differences,
  };
}

/** 5 % of the canvas. */
const AREA = 0.05 * 960 * 540;
const IN_VIEW: SeenFrame = { totalArea: AREA, onScreenArea: AREA, visibleArea: AREA, percentageInView: 100, obstruction: 'none' }; // prettier-ignore
const HALF: SeenFrame = { ...IN_VIEW, visibleArea: 0.5 * AREA, percentageInView: 50, obstruction: 'object' };
const COVERED: SeenFrame = { ...IN_VIEW, visibleArea: 0.49 * AREA, percentageInView: 49, obstruction: 'object' };
const UNDER_MENU: SeenFrame = { ...IN_VIEW, visibleArea: 0, percentageInView: 0, obstruction: 'screen' };
const FAINT: SeenFrame = { ...IN_VIEW, visibleArea: 0, percentageInView: 0 };
const AT_EDGE: SeenFrame = { ...IN_VIEW, onScreenArea: 0.4 * AREA, visibleArea: 0.4 * AREA, percentageInView: 40 };
const AWAY = { ...IN_VIEW, onScreenArea: 0, visibleArea: 0, percentageInView: 0 };

const UNSEEN = { inViewMs: 0, longestViewMs: 0 };

/** What was seen in frames of 100 ms; of null it is not known. */
function seenAfter(before: SeenBefore, ...frames: readonly (readonly [SeenFrame | null, count: number])[]): SeenSoFar {
  const so = new SeenSoFar(before);
  for (const [frame, count] of frames) {
    for (let i = 0; i < count; i++) {
      if (frame === null) so.noteUnknown(100);
      else so.note(frame, 100, () => ['bus']);
    }
  }
  return so;
}
const seen = (...frames: readonly (readonly [SeenFrame | null, count: number])[]) => seenAfter(UNSEEN, ...frames);

it('what was seen is what a list of all its frames tells', () => {
  const HALF_OFF: SeenFrame = { ...IN_VIEW, onScreenArea: AREA / 2, visibleArea: AREA / 4, percentageInView: 25 };
  const isInView = (frame: SeenFrame | null | undefined): boolean => frame === IN_VIEW || frame === HALF;
  const kind = fc.constantFrom(IN_VIEW, IN_VIEW, HALF, COVERED, UNDER_MENU, FAINT, AWAY, HALF_OFF, null);
  const list = fc.array(fc.record({ frame: kind, ms: fc.integer({ min: 1, max: 9 }), size: fc.constantFrom(1, 2, 3) }), { maxLength: 12 }); // prettier-ignore
  const before = fc.constantFrom(UNSEEN, { inViewMs: 100, longestViewMs: 0 }, { inViewMs: 9_000, longestViewMs: 15 });
  const isOnScreen = (frame: SeenFrame | null): boolean => frame === null || frame !== AWAY;
  const isUncovered = (frame: SeenFrame | null): boolean => frame === null || isInView(frame) || frame === HALF_OFF;
  fc.assert(
    fc.property(before, list, (known, frames) => {
      const so = new SeenSoFar(known);
      frames.forEach(({ frame, ms, size }, i) => {
        if (frame === null) so.noteUnknown(ms);
        else so.note({ ...frame, totalArea: size * AREA }, ms, () => [`cover ${i}`]);
      });
      const msOf = (...kinds: readonly (SeenFrame | null)[]): number =>
        frames.reduce((sum, { frame, ms }) => (kinds.length === 0 || kinds.includes(frame) ? sum + ms : sum), 0);
      const wasSeen = known.inViewMs > 0;
      const cover = frames.findIndex(({ frame }) => frame === COVERED || frame === UNDER_MENU);
      const isAlwaysCovered = cover >= 0 && !wasSeen && !frames.slice(0, cover).some(({ frame }) => isUncovered(frame));
      const views = frames.map(({ frame, ms }) => (isInView(frame) ? ms : 0));
      expect(so).toMatchObject({
        playedMs: msOf(),
        coveredMs: msOf(COVERED),
        curtainMs: msOf(UNDER_MENU),
        wasOnScreen: wasSeen || frames.some(({ frame }) => isOnScreen(frame)),
        wasUncovered: wasSeen || frames.some(({ frame }) => isUncovered(frame)),
        largestArea:
          AREA * Math.max(0, ...frames.map(({ frame, size }) => (frame === AWAY || frame === null ? 0 : size))),
        coveredBy: isAlwaysCovered ? [`cover ${cover}`] : [],
        longestViewMs: Math.max(known.longestViewMs, ...views.map((_, i) => stretchFrom(views, i))),
      });
      expect(so.views).toBeLessThanOrEqual(views.filter((ms, i) => ms > 0 && !(views[i - 1]! > 0)).length);
    }),
    { numRuns: 300 },
  );
});

/** The sum from one number on to the next 0. */
function stretchFrom(numbers: readonly number[], from: number): number {
  const end = numbers.indexOf(0, from);
  return numbers.slice(from, end < 0 ? undefined : end).reduce((sum, n) => sum + n, 0);
}

it('says nothing of a placement that nothing is wrong with, watched or not', () => {
  for (const so of [null, seen([AWAY, 50], [IN_VIEW, 11], [COVERED, 5])]) {
    expect(LINT_RULES.flatMap(({ check }) => check(facts({ seen: so })) ?? [])).toEqual([]);
  }
});

it('has words of one kind: a sentence of what was found, and one of what to do', () => {
  const worst = facts({
    frame: { screenPercentage: 0.5, squeezeRatio: 0.2, background: 'sky' },
    picture: { magnification: 3, distortion: 2, isMirrored: true, shownShare: 0.5 },
    isOutOfBounds: true,
    twin: 'tower',
    seen: seen([{ ...COVERED, totalArea: 0.1 * AREA, onScreenArea: 0.1 * AREA, visibleArea: 0 }, 30]),
  });
  const found = LINT_RULES.flatMap((rule) => rule.check(worst) ?? []);
  // Always covered, and so on the screen.
  expect(found).toHaveLength(LINT_RULES.length - 2);
  const alone = { twin: null, picture: CLEAN_PICTURE, isOutOfBounds: true };
  const stretched = { ...CLEAN_PICTURE, distortion: 2 };
  for (const one of [alone, { ...alone, isOutOfBounds: false, seen: seen([AWAY, 300]) }, { seen: seen([IN_VIEW, 1], [AWAY, 1]) }, { picture: stretched }]) {
    const more = LINT_RULES.flatMap((rule) => rule.check(facts(one)) ?? []);
    expect(more).toHaveLength(1);
    found.push(...more);
  } // prettier-ignore
  for (const { sentence, hint } of found) expect([sentence, hint]).toEqual([expect.stringMatching(/^("tower"|[A-Z]).*\.$/), expect.stringMatching(/^[A-Z].*\.$/)]); // prettier-ignore
});

it('an ad that earns nothing as it is, is an error; one that may earn less, or looks bad, is a warning', () => {
  expect(Object.fromEntries(LINT_RULES.map(({ id, severity }) => [id, severity]))).toEqual({
    'too-small': 'error',
    squeezed: 'error',
    'behind-background': 'error',
    'always-covered': 'error',
    'outside-camera-path': 'warning',
    'too-brief': 'warning',
    'creative-scaled': 'warning',
    mirrored: 'warning',
    'creative-cropped': 'warning',
    'surface-twice': 'warning',
  });
});

it('says what it found with the figures of the placement', () => {
  const squeezeRatio = Math.cos((60.2 * Math.PI) / 180);
  const covered = Object.assign(seen([COVERED, 31], [UNDER_MENU, 310]), { coveredBy: ['bus', 'tram', 'car', 'bike'] });
  const picture = { ...CLEAN_PICTURE, magnification: 3.24 };
  for (const [rule, differences, words] of [
    [tooSmall, { frame: { ...CLEAN_FRAME, screenPercentage: 0.375 } }, 'The ad takes 0.37 % of the screen at 960 × 540. Standards for in-game ads ask for 1.5 %.'],
    [squeezed, { frame: { ...CLEAN_FRAME, squeezeRatio } }, 'The ad is squeezed like a board turned away by 61°. Standards count up to 55°.'],
    [alwaysCovered, { seen: covered }, 'For all of its 3 s on the screen, at least half of the ad was covered by bus, tram, car and more.'],
    [alwaysCovered, { seen: covered, wasScreenFree: false }, 'For all of its 34 s on the screen, at least half of the ad was covered by bus, tram, car and more.'],
    [alwaysCovered, { seen: Object.assign(seen([COVERED, 31]), { coveredBy: ['bus', 'tram', 'car'] }) }, 'For all of its 3 s on the screen, at least half of the ad was covered by bus, tram, car.'],
    [alwaysCovered, { seen: Object.assign(seen([COVERED, 31]), { coveredBy: [] }) }, 'For all of its 3 s on the screen, at least half of the ad was covered.'],
    [outsideCameraPath, { seen: seen([AWAY, 452]) }, 'In 45 s of play no camera has shown the ad.'],
    [tooBrief, { seen: seen([IN_VIEW, 9], [AWAY, 1]) }, 'The ad was in view for 0.9 s at most. Standards ask for 1 s without a break.'],
    [creativeScaled, { picture }, 'Each pixel of the creative is shown as 3.2 pixels across: it looks blurred.'],
    [creativeScaled, { picture: { ...CLEAN_PICTURE, distortion: 1.5 } }, 'The creative is stretched by 50 % in one direction.'],
    [creativeCropped, { picture: { ...CLEAN_PICTURE, shownShare: 0.596 } }, 'Only 60 % of the creative is shown; the rest is cut off.'],
  ] as const) {
    expect(rule.check(facts(differences))?.sentence).toBe(words);
  } // prettier-ignore
});

describe('too-small', () => {
  const at = (screenPercentage: number) => ({ ...CLEAN_FRAME, screenPercentage });

  it('warns below 1.5 % of the screen, as the standard does', () => {
    expect(tooSmall.check(facts({ frame: at(1.5) }))).toBeNull();
    expect(tooSmall.check(facts({ frame: at(0.375) }))?.hint).toContain('at least 2.00 times as long');
    expect(tooSmall.check(facts({ frame: at(1.49) }))?.sentence).toContain('at 960 × 540');
  });

  it('judges an ad that comes nearer by the largest it was', () => {
    const largest = { ...IN_VIEW, totalArea: 0.0149 * 960 * 540 };
    expect(tooSmall.check(facts({ frame: null, seen: seen([largest, 1]) }))?.sentence).toContain('takes 1.49 %');
    const less = { ...IN_VIEW, totalArea: 0.005 * 960 * 540 };
    expect(tooSmall.check(facts({ frame: null, seen: seen([less, 1]) }))?.sentence).toContain('takes 0.50 %');
    expect(tooSmall.check(facts({ frame: at(0) }))).toBeNull();
    expect(tooSmall.check(facts({ frame: at(0.4), seen: seen([IN_VIEW, 1]) }))).toBeNull();
  });

  it('looks at every screen where the canvas has the size of the window', () => {
    const frame = at(2);
    expect(tooSmall.check(facts({ frame }))).toBeNull();
    expect(tooSmall.check(facts({ frame, followsWindow: true }))?.sentence).toContain(
      '0.50 % of the screen at 1920 × 1080',
    );
  });
});

describe('figures', () => {
  const numberIn = (text: string | undefined): number => Number(/\d+(\.\d+)?/.exec(text ?? '')![0]);
  const tooSmallAt = (screenPercentage: number) =>
    tooSmall.check(facts({ frame: { ...CLEAN_FRAME, screenPercentage } }));

  it('never would do: a rule that was missed by little says so', () => {
    fc.assert(
      fc.property(evenly(0.01, 1.4999), evenly(55.02, 90), evenly(1, 999.9), (percentage, angle, ms) => {
        expect(numberIn(tooSmallAt(percentage)?.sentence)).toBeLessThan(1.5);
        const squeezeRatio = Math.cos((angle * Math.PI) / 180);
        expect(numberIn(squeezed.check(facts({ frame: { ...CLEAN_FRAME, squeezeRatio } }))?.sentence)).toBeGreaterThan(
          55,
        );
        const brief = Object.assign(seen([IN_VIEW, 1], [AWAY, 1]), { longestViewMs: ms });
        expect(numberIn(tooBrief.check(facts({ seen: brief }))?.sentence)).toBeLessThan(1);
      }),
    );
  });

  it('of what to do are enough', () => {
    fc.assert(
      fc.property(evenly(0.001, 1.4999), (percentage) => {
        const times = numberIn(tooSmallAt(percentage)?.hint);
        expect(tooSmallAt(percentage * times ** 2)).toBeNull();
        expect(tooSmallAt(percentage * (times - 0.02) ** 2)).not.toBeNull();
      }),
    );
  });

  it('are numbers, whatever a frame, a canvas without a size, or a life holds', () => {
    const size = fc.record({ width: fc.constantFrom(0, 1, 960), height: fc.constantFrom(0, 1, 540) });
    const some = fc.record({
      frame: fc.option(fc.record({ screenPercentage: evenly(0, 100), squeezeRatio: evenly(0, 1), background: fc.constant(null) })),
      picture: fc.option(fc.record({ magnification: evenly(0.01, 9), distortion: evenly(1, 9), isMirrored: fc.boolean(), shownShare: evenly(0, 1) })),
      canvas: size,
      followsWindow: fc.boolean(),
      isOutOfBounds: fc.boolean(),
      seen: fc.constantFrom(null, seen([IN_VIEW, 3], [AWAY, 1]), seen([COVERED, 30]), seen([AWAY, 400])),
    }); // prettier-ignore
    fc.assert(
      fc.property(some, (differences) => {
        const found = LINT_RULES.flatMap((rule) => rule.check(facts(differences)) ?? []);
        expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity|undefined|null/);
      }),
    );
  });
});

it('squeezed: warns beyond 55°, and not at 55°', () => {
  const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
  const check = (squeezeRatio: number) => squeezed.check(facts({ frame: { ...CLEAN_FRAME, squeezeRatio } }));
  fc.assert(fc.property(fc.double({ min: 0, max: 55, noNaN: true }), (angle) => check(cos(angle)) === null));
  // What was rounded on its way is no angle that does not exist.
  expect([check(cos(55.005)), check(1 + 1e-12)]).toEqual([null, null]);
  expect(check(-1e-12)?.sentence).toContain('turned away by 90°');
  fc.assert(fc.property(fc.double({ min: 55.1, max: 90, noNaN: true }), (angle) => check(cos(angle)) !== null));
});

it('behind-background: names the background', () => {
  const found = behindBackground.check(facts({ frame: { ...CLEAN_FRAME, background: 'sky' } }));
  expect(found?.sentence).toContain('"sky"');
});

it('always-covered: warns when half was covered in all of two seconds on the screen, and names what covers', () => {
  expect(alwaysCovered.check(facts({ seen: seen([COVERED, 20]) }))?.sentence).toContain('by bus');
  expect(alwaysCovered.check(facts({ seen: seen([COVERED, 19], [AWAY, 50]) }))).toBeNull();
  expect(alwaysCovered.check(facts({ seen: seen([COVERED, 90], [IN_VIEW, 1]) }))).toBeNull();
});

it('outside-camera-path: warns when no camera can go there, or none has in half a minute', () => {
  expect(outsideCameraPath.check(facts({ isOutOfBounds: true }))?.sentence).toContain('bounds');
  expect(outsideCameraPath.check(facts({ seen: seen([AWAY, 300]) }))?.sentence).toContain('30 s');
  expect(outsideCameraPath.check(facts({ seen: seen([AWAY, 290]) }))).toBeNull();
  expect(outsideCameraPath.check(facts({ seen: seen([AWAY, 900], [COVERED, 1]) }))).toBeNull();
});

it('too-brief: warns when every view ended within a second, not while the first one goes on', () => {
  expect(tooBrief.check(facts({ seen: seen([IN_VIEW, 9]) }))).toBeNull();
  expect(tooBrief.check(facts({ seen: seen([IN_VIEW, 9], [AWAY, 1]) }))?.sentence).toContain('0.9 s');
  expect(tooBrief.check(facts({ seen: seen([IN_VIEW, 9], [AWAY, 1], [IN_VIEW, 10], [AWAY, 1]) }))).toBeNull();
});

describe('a whole life is not judged by one moment', () => {
  const words = (differences: Partial<PlacementFacts>) =>
    LINT_RULES.flatMap((rule) => (rule.check(facts(differences)) === null ? [] : [rule.id]));

  it('what was seen once is not always covered, however long a score lies over it afterwards', () => {
    expect(words({ seen: seen([IN_VIEW, 11], [COVERED, 5_000]) })).toEqual([]);
    expect(words({ seen: seenAfter({ inViewMs: 100, longestViewMs: 0 }, [COVERED, 5_000]) })).toEqual([]);
    expect(words({ seen: seen([null, 1], [COVERED, 5_000]) })).toEqual([]);
  });

  it('what comes and goes over the whole picture is no fault of the ads beneath it', () => {
    expect(words({ seen: seen([UNDER_MENU, 5_000]) })).toEqual([]);
    expect(words({ seen: seen([UNDER_MENU, 299]), wasScreenFree: false })).toEqual([]);
    expect(words({ seen: seen([UNDER_MENU, 300]), wasScreenFree: false })).toEqual(['always-covered']);
  });

  it('an ad that is faint itself is not covered', () => {
    expect(words({ seen: seen([FAINT, 5_000]) })).toEqual([]);
    expect(words({ seen: seen([FAINT, 10], [COVERED, 30]) })).toEqual(['always-covered']);
  });

  it('bounds of the present room say nothing of an ad that was seen in another', () => {
    expect(words({ isOutOfBounds: true, inViewMs: 1 })).toEqual([]);
    expect(words({ isOutOfBounds: true, seen: seen([IN_VIEW, 11], [AWAY, 1]) })).toEqual([]);
    expect(words({ isOutOfBounds: true, seen: seen([null, 11], [AWAY, 400]) })).toEqual([]);
  });

  it('a view is too brief only when both of its ends were seen', () => {
    expect(words({ seen: seenAfter({ inViewMs: 9_000, longestViewMs: 0 }, [IN_VIEW, 3], [AWAY, 1]) })).toEqual([]);
    expect(words({ seen: seen([null, 1], [IN_VIEW, 3], [AWAY, 1]) })).toEqual([]);
    expect(words({ seen: seen([null, 1], [COVERED, 1], [IN_VIEW, 3], [AWAY, 1]) })).toEqual(['too-brief']);
    expect(words({ seen: seen([IN_VIEW, 3], [AT_EDGE, 50]) })).toEqual(['too-brief']);
    expect(words({ seen: seen([IN_VIEW, 3], [UNDER_MENU, 50]) })).toEqual([]);
    expect(words({ seen: seen([IN_VIEW, 3], [COVERED, 2], [IN_VIEW, 3]) })).toEqual(['too-brief']);
    expect(words({ seen: seenAfter({ inViewMs: 2_000, longestViewMs: 1_000 }, [AWAY, 1], [IN_VIEW, 3], [AWAY, 1]) })).toEqual([]); // prettier-ignore
  });

  it('the background is not above what was seen for a second', () => {
    const frame = { ...CLEAN_FRAME, background: 'night' };
    expect(words({ frame, inViewMs: 1_000 })).toEqual([]);
    expect(words({ frame, inViewMs: 900 })).toEqual(['behind-background']);
  });

  it('the size counts in pixels: a window that grows makes no ad larger', () => {
    const so = seen([{ ...IN_VIEW, totalArea: 8_000 }, 11]);
    expect(words({ seen: so, frame: null })).toEqual([]);
    expect(words({ seen: so, frame: null, canvas: { width: 1920, height: 1080 } })).toEqual(['too-small']);
  });
});

describe('the faults of frames', () => {
  const GOOD = facts();
  const FAULTY: readonly (readonly [LintRule, PlacementFacts])[] = [
    [squeezed, facts({ frame: { ...CLEAN_FRAME, squeezeRatio: 0.2 } })],
    [behindBackground, facts({ frame: { ...CLEAN_FRAME, background: 'sky' } })],
    [creativeScaled, facts({ picture: { ...CLEAN_PICTURE, magnification: 3 } })],
    [mirrored, facts({ picture: { ...CLEAN_PICTURE, isMirrored: true } })],
    [creativeCropped, facts({ picture: { ...CLEAN_PICTURE, shownShare: 0.5 } })],
  ];
  const after = (...frames: readonly (readonly [PlacementFacts, count: number])[]) => {
    const faults = new FrameFaults();
    for (const [frame, count] of frames) for (let i = 0; i < count; i++) faults.note(frame, 100);
    return faults;
  };

  it.each(FAULTY)('%#: are said when no second was without them', (rule, bad) => {
    expect(after([bad, 9]).of(rule)).toBeNull();
    expect(after([bad, 10]).of(rule)).toEqual(rule.check(bad));
    expect(after([bad, 50], [GOOD, 9], [bad, 1], [GOOD, 9]).of(rule)).toEqual(rule.check(bad));
    expect(after([bad, 50], [GOOD, 10], [bad, 500]).of(rule)).toBeNull();
    expect(after([GOOD, 10], [bad, 500]).of(rule)).toBeNull();
  });

  it('cost nothing any more once every rule has seen its second, whatever a whole life is blamed for', () => {
    for (const fine of [GOOD, facts({ twin: 'tower' })]) {
      expect([after([fine, 9]).isSettled, after([fine, 10]).isSettled]).toEqual([false, true]);
    }
  });
});

it('creative-scaled: warns beyond twice its size, or when its shape is another', () => {
  const check = (magnification: number, distortion: number) =>
    creativeScaled.check(facts({ picture: { ...CLEAN_PICTURE, magnification, distortion } }));
  expect(check(2, 1.1)).toBeNull();
  expect(check(2.1, 1)?.sentence).toContain('blurred');
  expect(check(1, 1.2)?.sentence).toContain('20 %');
});

it('creative-cropped: warns when more than a quarter is cut off', () => {
  const check = (shownShare: number) => creativeCropped.check(facts({ picture: { ...CLEAN_PICTURE, shownShare } }));
  expect([check(0.75), check(0.6)?.sentence]).toEqual([null, expect.stringContaining('60 %')]);
});

it('surface-twice: names the other ad', () => {
  expect(surfaceTwice.check(facts({ twin: 'tower' }))?.sentence).toContain('"tower"');
});
