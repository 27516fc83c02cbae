import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { printer } from './printers.ts'

/** Photos of printers, which help people to recognize the machines. */
const { get, post, del } = declareEndpoints('print-queue', { notFound: 'PRINTER_NOT_FOUND' })

/** Maximum size of an uploaded photo in bytes. */
export const PRINTER_PHOTO_LIMIT = 20 * 1024 * 1024

export const uploadPrinterPhoto = post('/api/printers/:id/photo', 'staff', {
  summary:
    'Set the photo of a printer, in a part named file; it is scaled down, and only its pixels are kept',
  fileField: 'file',
  body: z.object({}),
  returns: printer,
  errors: [
    'PRINTER_PHOTO_REFUSED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'MALFORMED_REQUEST',
    'STORAGE_FULL',
    'MALWARE_FOUND',
    'SCANNER_SIZE_LIMIT',
    'SCANNER_UNAVAILABLE',
  ],
})

export const deletePrinterPhoto = del('/api/printers/:id/photo', 'staff', {
  summary: 'Remove the photo of a printer',
  returns: printer,
})

export const getPrinterPhoto = get('/api/printers/:id/photo', 'signed-in', {
  summary: 'The photo of a printer (WebP)',
  isSignable: true,
  query: z.object({
    /**
     * Identifies the photo, as in `photo_path`. Each new photo has another value, so that caches do not show an earlier
     * photo.
     */
    of: z.optional(z.string().check(z.maxLength(64, 'of is too long'))),
    expires: z.optional(z.string()),
    signature: z.optional(z.string()),
  }),
  sends: 'image/webp',
  errors: ['PRINTER_NO_PHOTO'],
})
