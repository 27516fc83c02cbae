import { MAX_PICTURE_PIXELS, type PictureFormat } from '@pegasus/contracts/media/media-files'
import type { Sharp } from 'sharp'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { PictureKind } from '../detect-format.ts'

/**
 * Larger pictures are scaled down, because no screen shows more pixels and the shop would send them to
 * phones.
 */
const MAX_EDGE_PX = 4096
/**
 * The maximum number of frames in an animation. All frames together may have as many pixels as one picture.
 */
const MAX_FRAMES = 300
const DECODE_SECONDS = 20
const WHITE = '#ffffff'

export interface Picture {
  bytes: Buffer
  widthPx: number
  heightPx: number
}

/** Why a picture is refused, as a readable message. */
export class PictureRefusedError extends Error {
  override name = 'PictureRefusedError'
}

// Import the codec only when the first picture arrives, so that a server without pictures spends no memory on it.
async function open(path: string, options: { animated?: boolean } = {}): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(path, { ...options, limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error' })
}

/**
 * Matches the codec's messages for a failed system call or an exceeded time limit. It has no error codes for
 * them.
 */
const SYSTEM_MESSAGES = /\b(unix|system) error:|\btimeout:|input file is missing|out of memory/i
const RETRY_SECONDS = 10

/**
 * Returns UNAVAILABLE for a system failure, because it does not concern the picture, and a later attempt may
 * succeed. Otherwise returns an error about the picture.
 */
function failureOf(cause: unknown, message: string): Error {
  if (cause instanceof PictureRefusedError) return cause
  const isSystem =
    cause instanceof Error && ('code' in cause || 'errno' in cause || SYSTEM_MESSAGES.test(cause.message))
  if (isSystem) return new AppError('UNAVAILABLE', { cause, retryAfterSeconds: RETRY_SECONDS })
  return new PictureRefusedError(message, { cause })
}

const tooLarge = (): PictureRefusedError =>
  new PictureRefusedError(
    `This picture is too large: at most ${MAX_PICTURE_PIXELS / 1_000_000} million pixels are allowed.`,
  )

async function assertMeasure(path: string, isAnimated: boolean): Promise<{ frames: number }> {
  const { default: sharp } = await import('sharp')
  // Read only the header, so that nothing is decoded before the size is known.
  const { width, height, pages = 1 } = await sharp(path, { limitInputPixels: false }).metadata()
  const frames = isAnimated ? pages : 1
  if (width * height * frames > MAX_PICTURE_PIXELS) throw tooLarge()
  if (frames > MAX_FRAMES)
    throw new PictureRefusedError(`This animation is too long: at most ${MAX_FRAMES} frames are allowed.`)
  return { frames }
}

/** Encodes a picture for storage. All other sizes are derived from this encoding. */
function encodeAs(picture: Sharp, kind: PictureKind): Sharp {
  switch (kind) {
    case 'jpeg':
      return picture.flatten({ background: WHITE }).jpeg({ quality: 90, progressive: true })
    case 'png':
      return picture.png()
    case 'webp':
      return picture.webp({ quality: 90 })
    case 'avif':
      return picture.avif({ quality: 70, effort: 3 })
  }
}

/**
 * Decodes a picture under limits, rotates it upright and re-encodes it. Only the pixels remain; location,
 * owner and hidden data are removed. Throws PictureRefusedError, or UNAVAILABLE after a system failure.
 */
export async function cleanPicture(path: string, kind: PictureKind): Promise<Picture> {
  try {
    const { frames } = await assertMeasure(path, kind === 'webp')
    const source = await open(path, { animated: frames > 1 })
    const upright = frames > 1 ? source : source.autoOrient()
    const { data, info } = await encodeAs(
      upright.timeout({ seconds: DECODE_SECONDS }).resize(MAX_EDGE_PX, MAX_EDGE_PX, {
        fit: 'inside',
        withoutEnlargement: true,
      }),
      kind,
    ).toBuffer({ resolveWithObject: true })
    return { bytes: data, widthPx: info.width, heightPx: info.pageHeight ?? info.height }
  } catch (error) {
    throw failureOf(error, 'This picture is damaged and cannot be opened.')
  }
}

/** Encodes a picture for web pages. The AVIF settings are fast enough for a visitor who is waiting. */
function encodeVariant(picture: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.flatten({ background: WHITE }).jpeg({ quality: 80, progressive: true })
    case 'webp':
      return picture.webp({ quality: 80 })
    case 'avif':
      return picture.avif({ quality: 55, effort: 2 })
  }
}

/**
 * Scales a stored picture to at most this width, using only the first frame of an animation. Throws
 * PictureRefusedError, because some buckets store pictures unchecked, or UNAVAILABLE after a system failure.
 */
export async function resizePicture(
  path: string,
  variant: { width: number; format: PictureFormat },
): Promise<Buffer> {
  try {
    const source = await open(path)
    const smaller = source
      .autoOrient()
      .timeout({ seconds: DECODE_SECONDS })
      .resize({ width: variant.width, withoutEnlargement: true })
    return await encodeVariant(smaller, variant.format).toBuffer()
  } catch (error) {
    throw failureOf(error, 'This picture is damaged or too large to be drawn.')
  }
}
