import assert from 'node:assert/strict';
import jsQR from 'jsqr';
import type * as playwright from 'playwright-core';

/** Reads a QR code from a picture of the screen, like a phone. */
export async function readQr(page: playwright.Page, selector: string): Promise<string> {
  const picture = await page.locator(selector).screenshot();
  // A separate page: the service's policy blocks images of other origins.
  const blank = await page.context().newPage();
  const { width, height, pixels } = await blank.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    return { width: image.width, height: image.height, pixels: [...data] };
  }, picture.toString('base64'));
  await blank.close();
  const read = (jsQR as unknown as typeof jsQR.default)(Uint8ClampedArray.from(pixels), width, height);
  assert.ok(read, 'the picture has no QR code');
  return read.data;
}
