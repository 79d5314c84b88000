/** Paints a test ad: a plain panel that nobody takes for a real one. Resolves to a PNG file. */
export async function paintTestAd(width: number, height: number, words: readonly string[]): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context !== null) draw(context, width, height, words);
  return new Promise((resolve, reject) =>
    canvas.toBlob((file) => (file === null ? reject(new Error('The canvas gives no file')) : resolve(file))),
  );
}

function draw(context: CanvasRenderingContext2D, width: number, height: number, words: readonly string[]): void {
  context.fillStyle = '#f4c430';
  context.fillRect(0, 0, width, height);
  const edge = Math.max(4, Math.min(width, height) * 0.06);
  context.lineWidth = edge;
  context.strokeStyle = '#1d1d1f';
  context.setLineDash([edge * 2, edge * 2]);
  context.strokeRect(edge / 2, edge / 2, width - edge, height - edge);
  context.fillStyle = '#1d1d1f';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const [title = '', ...lines] = words;
  const room = width - edge * 4;
  const titlePx = Math.min(height * 0.3, room / 4.6);
  const linePx = Math.min(height * 0.13, titlePx * 0.5);
  const tall = titlePx + lines.length * linePx * 1.3;
  let y = (height - tall) / 2 + titlePx / 2;
  context.font = `800 ${titlePx}px system-ui, sans-serif`;
  context.fillText(title, width / 2, y, room);
  y += titlePx / 2 + linePx * 0.8;
  context.font = `500 ${linePx}px system-ui, sans-serif`;
  for (const line of lines) {
    context.fillText(line, width / 2, y, room);
    y += linePx * 1.3;
  }
}
