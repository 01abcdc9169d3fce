import { encode } from 'uqr';

/** The quiet zone around the code (ISO/IEC 18004 §6.3.8). */
const QUIET_ZONE = 4;

/**
 * Creates the URL of a QR image. By default it contains the image itself, so that the secret is sent to no one. A configured prefix sends
 * it there instead.
 * @param library `builtin`, or the prefix of a URL to which the percent-encoded text is appended
 */
export function createQrCodeUrl(library: string, text: string): string {
  return library === 'builtin' ? toDataUrl(drawSvg(text)) : `${library}${encodeURIComponent(text)}`;
}

function toDataUrl(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

function drawSvg(text: string): string {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const path = data.map(drawRow).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path}"/></svg>`
  );
}

/** One rectangle for each run of dark modules. */
function drawRow(row: readonly boolean[], y: number): string {
  const runs = row
    .map((isDark) => (isDark ? '1' : '0'))
    .join('')
    .matchAll(/1+/g);
  return [...runs].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join('');
}
