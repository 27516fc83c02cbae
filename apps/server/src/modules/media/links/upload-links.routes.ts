import { storageSignUpload, storageUploadSigned } from '@pegasus/contracts/media/hosted-signed-links'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { StoreUpload } from '../upload/store-upload.ts'
import type { Media } from '../media.service.ts'
import { readObjectName } from '../object-name.ts'
import type { UploadLinks } from './upload-links.ts'

/** Adds the endpoint that signs upload URLs, and the endpoint that accepts a file at such a URL. */
export function addUploadLinkRoutes(
  endpoints: Endpoints,
  { media, links, storeUpload }: { media: Media; links: UploadLinks; storeUpload: StoreUpload },
): void {
  endpoints.add(storageSignUpload, async ({ params, request, user }) => {
    const { bucket, name } = await media.target(params.bucket, params['*'])
    const replaces = request.headers['x-upsert'] === 'true'
    if (!replaces && (await media.namesOf(bucket.id, [name])).size > 0) throw new AppError('OBJECT_EXISTS')
    return links.sign({ bucket: bucket.id, bucketUid: bucket.uid, name, replaces }, user)
  })

  endpoints.add(storageUploadSigned, async ({ params, query, request }) => {
    const place = { bucket: params.bucket, name: readObjectName(params['*']) }
    const { signer, replaces, bucketUid } = await links.read(query.token, place)
    const { key } = await storeUpload(request, { ...place, bucketUid }, { user: signer, replaces })
    return { Key: key }
  })
}
