import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

let isReady = false

/** Reads the codes in a picture with an independent library. */
export async function readCodes(picture: Uint8Array): Promise<string[]> {
  if (!isReady) {
    const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
    await prepareZXingModule({
      overrides: { wasmBinary: new Uint8Array(await readFile(file)).buffer },
      fireImmediately: true,
    })
    isReady = true
  }
  const found = await readBarcodes(picture, { formats: ['QRCode'] })
  return found.map(({ text }) => text)
}
