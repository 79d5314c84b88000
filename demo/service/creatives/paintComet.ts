/**
 * One picture of the film for the open-air cinema: a comet crosses the evening sky over the hills, the title comes up, and
 * the last second stands still.
 *
 * It is sent to a browser as text: it may use nothing from outside.
 */
export function paintComet(
  context: OffscreenCanvasRenderingContext2D,
  width: number,
  height: number,
  seconds: number,
): void {
  const c = context;
  const t = Math.min(seconds, 5);
  const ease = (from: number, to: number): number => {
    const share = Math.min(1, Math.max(0, (t - from) / (to - from)));
    return share * share * (3 - 2 * share);
  };
  const sky = c.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, '#0a0f3c');
  sky.addColorStop(0.6, '#5b2a86');
  sky.addColorStop(1, '#ff8a5c');
  c.fillStyle = sky;
  c.fillRect(0, 0, width, height);

  for (let i = 0; i < 60; i++) {
    const x = (i * 97.3) % width;
    const y = ((i * 53.7) % (height * 0.62)) + 2;
    c.globalAlpha = 0.35 + 0.6 * Math.abs(Math.sin(t * 1.6 + i * 1.7));
    c.fillStyle = i % 5 === 0 ? '#ffe3a8' : '#ffffff';
    c.fillRect(x, y, i % 7 === 0 ? 2 : 1.2, i % 7 === 0 ? 2 : 1.2);
  }
  c.globalAlpha = 1;

  const flight = ease(0.2, 4.4);
  const x = width * (1.12 - 0.98 * flight);
  const y = height * (0.04 + 0.4 * flight - 0.18 * Math.sin(Math.PI * flight));
  const tail = c.createLinearGradient(x, y, x + 130, y - 52);
  tail.addColorStop(0, 'rgba(255,250,214,0.95)');
  tail.addColorStop(0.25, 'rgba(127,227,255,0.6)');
  tail.addColorStop(1, 'rgba(127,227,255,0)');
  c.fillStyle = tail;
  c.beginPath();
  c.moveTo(x - 4, y + 7);
  c.quadraticCurveTo(x + 60, y - 12, x + 136, y - 62);
  c.quadraticCurveTo(x + 66, y - 34, x + 2, y - 7);
  c.fill();
  const glow = c.createRadialGradient(x, y, 1, x, y, 24);
  glow.addColorStop(0, 'rgba(255,255,255,1)');
  glow.addColorStop(0.3, 'rgba(255,240,190,0.8)');
  glow.addColorStop(1, 'rgba(255,240,190,0)');
  c.fillStyle = glow;
  c.fillRect(x - 24, y - 24, 48, 48);

  for (const [base, swing, colour] of [
    [0.74, 16, '#3a1e63'],
    [0.83, 11, '#24124a'],
  ] as const) {
    c.fillStyle = colour;
    c.beginPath();
    c.moveTo(0, height);
    for (let px = 0; px <= width; px += 4) {
      c.lineTo(px, height * base + swing * Math.sin(px / 46 + base * 19) + 5 * Math.sin(px / 17));
    }
    c.lineTo(width, height);
    c.fill();
  }

  c.textAlign = 'center';
  c.textBaseline = 'middle';
  const word = 'KOMETA';
  c.font = '900 46px "DejaVu Sans", sans-serif';
  for (let i = 0; i < word.length; i++) {
    const up = ease(1.6 + i * 0.16, 2.3 + i * 0.16);
    c.globalAlpha = up;
    c.fillStyle = '#fff6d8';
    c.fillText(word[i]!, width / 2 + (i - 2.5) * 42, height * 0.58 + (1 - up) * 34);
  }
  const more = ease(3.4, 4.2);
  c.globalAlpha = more;
  c.fillStyle = '#ffd27a';
  c.fillRect(width / 2 - 112 * more, height * 0.735, 224 * more, 2);
  c.font = '700 15px "DejaVu Sans", sans-serif';
  c.fillText('the open-air cinema, tonight', width / 2, height * 0.84);
  c.globalAlpha = 1;
}
