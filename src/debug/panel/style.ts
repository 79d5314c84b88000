import { colours, FONT } from '../colours.js';

/** The style sheet of the overlay. It stands in a shadow root: neither the page's styles nor these reach the other. */
export const style = `
:host { all: initial; position: fixed; left: 0; top: 0; width: 0; height: 0; z-index: 2147483000; }
:host(.docked) { position: static; display: block; width: auto; height: 100%; }
* { box-sizing: border-box; margin: 0; padding: 0; }
[hidden] { display: none !important; }
.layer { position: fixed; inset: 0; pointer-events: none; }
:host(.docked) .layer { position: static; height: 100%; }
canvas.marks { position: fixed; pointer-events: none; }
.panel {
  display: flex; flex-direction: column; min-height: 0; overflow: hidden; pointer-events: auto;
  color: #e9ebff; background: rgba(10, 12, 34, 0.94); font: 14px/1.45 ${FONT}; color-scheme: dark;
  --line: rgba(255, 255, 255, 0.1); --quiet: #a4aad8;
}
.floating {
  position: fixed; right: 12px; top: 12px; width: 350px; max-height: calc(100% - 24px);
  border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 14px 40px rgba(4, 4, 20, 0.5);
}
.docked { height: 100%; }
.docked .fold { display: none; }
.docked .status { padding-left: 0; }
.panel[data-open='false'] .body, .panel[data-open='false'] .marks { display: none; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 9px 12px; border-bottom: 1px solid var(--line); }
h1 { flex: 1; font-size: 16px; font-weight: 800; }
.status { flex: 1 0 100%; order: 1; padding-left: 36px; color: var(--quiet); font-size: 12.5px; }
button { min-width: 28px; min-height: 28px; border: 0; border-radius: 8px; background: rgba(255, 255, 255, 0.08); color: inherit; font: inherit; cursor: pointer; }
button.marks { order: 2; display: flex; justify-content: space-between; align-items: center; width: 100%; min-height: 34px; padding: 0 10px; font-weight: 600; }
button.marks[aria-pressed='true'] { background: ${colours.seen}; color: #14210a; }
kbd { padding: 0 7px; border-radius: 5px; background: rgba(127, 127, 127, 0.28); font: inherit; font-size: 12px; }
:focus-visible { outline: 2px solid #7fc8ff; outline-offset: 1px; }
.body { overflow-y: auto; scrollbar-width: thin; scrollbar-color: #3b4270 transparent; min-height: 0; flex: 1 1 auto; overscroll-behavior: contain; padding-bottom: 10px; }
summary { min-height: 30px; padding: 8px 14px 4px; font-size: 11px; font-weight: 700; letter-spacing: 0.1em; text-transform: uppercase; color: var(--quiet); cursor: pointer; }
ul, ol { list-style: none; }
.ads { display: flex; flex-direction: column; gap: 3px; padding: 0 8px; }
.ads > li { display: grid; grid-template-columns: 62px minmax(0, 1fr); align-items: start; gap: 2px 11px; padding: 8px; border-radius: 10px; --state: ${colours.away}; }
.ads > [data-state='away'] { order: 1; }
.ads > [data-state='visible'] { --state: ${colours.seen}; background: rgba(184, 243, 74, 0.07); }
.ads > [data-state='partly'] { --state: ${colours.partly}; background: rgba(255, 180, 92, 0.07); }
.ads > [data-state='blocked'], .ads > [data-state='error'] { --state: ${colours.taken}; background: rgba(255, 92, 122, 0.08); }
.thumb { grid-row: span 3; width: 62px; height: 46px; border-radius: 6px; background: #070918; }
.top { display: flex; align-items: baseline; gap: 8px; min-width: 0; }
.name { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.badge { font-size: 11px; color: var(--state); white-space: nowrap; }
.share { margin-left: auto; font-variant-numeric: tabular-nums; font-weight: 700; white-space: nowrap; }
.meter { height: 5px; margin-top: 3px; border-radius: 3px; background: rgba(255, 255, 255, 0.1); overflow: hidden; }
.bar { height: 100%; border-radius: 3px; background: var(--state); transform-origin: left; transform: scaleX(0); }
.figures { min-height: 17px; font-size: 11.5px; color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.detail, .standards { grid-column: 1 / -1; }
.detail li { padding-left: 10px; border-left: 2px solid var(--state); font-size: 12px; color: #d6d9f7; }
.detail li + li { margin-top: 3px; }
.standards { display: grid; gap: 3px; margin-top: 3px; }
.standards li {
  display: grid; grid-template-columns: 72px minmax(0, 1fr); gap: 0 8px; padding: 2px 7px; border-radius: 5px; font-size: 11.5px; font-variant-numeric: tabular-nums;
  color: var(--quiet); --fill: rgba(255, 180, 92, 0.3);
  background: linear-gradient(to right, var(--fill) calc(100% * var(--done)), transparent 0), rgba(255, 255, 255, 0.06);
}
.standards b { color: #e9ebff; white-space: nowrap; }
.standards i { display: none; font-style: normal; }
.ads > [data-state='away'] .standards { grid-template-columns: repeat(auto-fit, minmax(90px, 1fr)); }
.ads > [data-state='away'] .standards span { display: none; }
.ads > [data-state='away'] .standards i { display: inline; }
.ads > [data-state='away'] .standards li { grid-template-columns: auto auto; }
.standards [data-standing='viewable'] { --fill: rgba(184, 243, 74, 0.22); color: ${colours.seen}; }
.warnings { padding: 0 14px; font-size: 12.5px; }
.warnings li { display: grid; padding-left: 10px; border-left: 3px solid ${colours.partly}; }
.warnings li + li { margin-top: 7px; }
.warnings [data-severity='error'] { border-color: ${colours.taken}; }
.warnings em { font-style: normal; color: var(--quiet); }
summary.urgent { color: ${colours.partly}; }
.lines { padding: 0 14px; font-size: 12.5px; }
.lines li + li { margin-top: 3px; }
.log { padding: 0 14px; font-size: 12px; }
.log li { display: flex; gap: 8px; padding: 2px 0; white-space: nowrap; }
.log code { flex: none; min-width: 82px; color: var(--quiet); font: 12px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.log [data-event='advisible'] code, .log [data-event='adviewable'] code { color: ${colours.seen}; }
.log [data-event='adblocked'] code { color: ${colours.partly}; }
.log [data-event='aderror'] code { color: ${colours.taken}; }
.log span { flex: none; }
.log em { font-style: normal; color: var(--quiet); overflow: hidden; text-overflow: ellipsis; }
@media (max-width: 700px) {
  .floating { left: 0; right: 0; top: auto; bottom: 0; width: auto; max-height: 62%; border-radius: 14px 14px 0 0; }
}
`;
