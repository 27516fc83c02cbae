import {
  deletePrinterPhoto,
  getPrinterPhoto,
  uploadPrinterPhoto,
} from '@pegasus/contracts/print-queue/printer-photos'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { sendObject } from '../../../platform/http/send-object.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { PrinterPhotos } from './printer-photos.service.ts'
import { presentPrinter } from './printers.present.ts'
import { receivePhoto } from './receive-photo.ts'

/**
 * Cache time of a photo whose address contains the name of the photo. Such an address always shows the same photo, and
 * is valid for this time.
 */
const PHOTO_MAX_AGE_SECONDS = 24 * 60 * 60

export function addPrinterPhotoRoutes(
  endpoints: Endpoints,
  deps: {
    photos: PrinterPhotos
    storage: ObjectStorage
    signer: PathSigner
    clock: Clock
    currency: string
  },
): void {
  const { photos, storage, signer, clock, currency } = deps
  const show = (row: Parameters<typeof presentPrinter>[0], { user: { role } }: { user: { role: string } }) =>
    presentPrinter(row, { signer, currency, now: clock.now(), role })

  endpoints.add(uploadPrinterPhoto, async (call) => {
    const { params, request, user } = call
    await photos.assertPrinter(params.id)
    const webp = await receivePhoto(request, storage)
    // Read `audit` only now, because the photo counts as changed when its upload has ended.
    return show(await photos.set(params.id, webp, call.audit), user)
  })

  endpoints.add(deletePrinterPhoto, async ({ params, user, audit }) =>
    show(await photos.remove(params.id, audit), user),
  )

  endpoints.add(getPrinterPhoto, async ({ params, query, request, reply }) => {
    const key = await photos.getKey(params.id)
    const isNamed = query.of !== undefined && key.includes(query.of)
    return sendObject(request, reply, storage, {
      key,
      contentType: 'image/webp',
      etag: `"${key}"`,
      cacheControl: isNamed ? `private, max-age=${PHOTO_MAX_AGE_SECONDS}` : 'private, no-cache',
    })
  })
}
