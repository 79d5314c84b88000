/** A name that begins with the same letters is likely to be meant. No two options of one object begin with the same four. */
const LIKE = 4;

/**
 * Tells the developer of options that do not exist: most are misspelled, and would do nothing without a word.
 * @param of what takes the options
 */
export function warnOfUnknownOptions(
  of: string,
  given: object,
  known: readonly string[],
  warn: (message: string) => void,
): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const start = startOf(name);
    const likely = known.find((candidate) => startOf(candidate) === start);
    const hint = likely === undefined ? '' : ` Did you mean \`${likely}\`?`;
    warn(`phaser-inview: ${of} has no option \`${name.replace(/[^\w.-]/g, '?').slice(0, 40)}\`.${hint}`);
  }
}

function startOf(name: string): string {
  return name.slice(0, LIKE).toLowerCase();
}
