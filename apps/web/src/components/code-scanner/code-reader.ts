/** A frame of the camera, or a photo. */
type Picture = HTMLVideoElement | ImageBitmap | Blob

interface Detector {
  detect(picture: Picture): Promise<{ rawValue: string }[]>
}

interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

const FORMATS = ['qr_code', 'code_128']

/** Returns the browser's own detector if it reads QR codes; it is faster than our decoder. */
async function openNative(): Promise<Detector | null> {
  const { BarcodeDetector: Native } = globalThis as { BarcodeDetector?: DetectorClass }
  if (!Native) return null
  try {
    const formats = await Native.getSupportedFormats()
    return formats.includes('qr_code')
      ? new Native({ formats: FORMATS.filter((f) => formats.includes(f)) })
      : null
  } catch {
    // On some systems the detector exists, but the system service that it needs does not.
    return null
  }
}

async function openOwn(): Promise<Detector> {
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasmUrl }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  // Load the decoder from our own server. By default, the library downloads it from another server.
  prepareZXingModule({
    overrides: {
      locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path),
    },
  })
  return new BarcodeDetector({ formats: ['qr_code', 'code_128'] })
}

let detector: Promise<Detector> | null = null

const openDetector = async (): Promise<Detector> => (await openNative()) ?? (await openOwn())

/** Returns the code in a picture; null if there is none. Throws if the decoder cannot be loaded. */
export async function readCode(picture: Picture): Promise<string | null> {
  detector ??= openDetector()
  const pending = detector
  try {
    const [code] = await (await pending).detect(picture)
    return code?.rawValue ?? null
  } catch (error) {
    // Let the next call download the decoder again.
    if (detector === pending) detector = null
    throw error
  }
}
