/** Full light, plus the error in the numbers of a grey-tone matrix. */
const MOST_LIGHT = 1.001;

/** True when a colour matrix, four rows of five, leaves alpha as it is, whatever the colour. */
export function keepsAlpha(matrix: ArrayLike<number>): boolean {
  return matrix[15] === 0 && matrix[16] === 0 && matrix[17] === 0 && matrix[18] === 1 && matrix[19] === 0;
}

/**
 * True when a colour matrix may make some colour brighter than full light.
 * @param added the value of a row's fifth number that means full light
 */
export function brightens(matrix: ArrayLike<number>, added: number): boolean {
  return Math.max(...[0, 5, 10].map((row) => mostLight(matrix, row, added))) > MOST_LIGHT;
}

/** The most that a row makes of any colour, 1 for full light. */
function mostLight(matrix: ArrayLike<number>, row: number, added: number): number {
  let sum = Math.max(0, matrix[row + 4]! / added);
  for (let i = row; i < row + 4; i++) sum += Math.max(0, matrix[i]!);
  return sum;
}
