import { Color, SRGBColorSpace } from 'three'

/**
 * Converts any CSS color to a three.js color. Our tokens are OKLCH, which three.js cannot parse, so a canvas of one
 * pixel converts them.
 */
export function cssColor(css: string): Color {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return new Color(0.5, 0.5, 0.5)
  context.fillStyle = css
  context.fillRect(0, 0, 1, 1)
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data
  return new Color().setRGB(r / 255, g / 255, b / 255, SRGBColorSpace)
}
