import {
  TUS_PATH,
  tusCreate,
  tusCreateSigned,
  tusHead,
  tusHeadSigned,
  tusRemove,
  tusRemoveSigned,
  tusWrite,
  tusWriteSigned,
} from '@pegasus/contracts/media/hosted-resumable'
import type { FastifyRequest } from 'fastify'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { metadataHeaderOf, readMetadata } from '../../../platform/resumable/tus-headers.ts'
import type { TusProtocol } from '../../../platform/resumable/tus-protocol.ts'
import type { UploadLinks } from '../links/upload-links.ts'
import { readObjectName } from '../object-name.ts'
import type { StorageCaller } from '../storage-caller.ts'
import { placeOf } from './resumable-objects.ts'

/** Finds the destination of a signed upload from the upload's id. */
export type FindSignedPlace = (id: string) => Promise<{ bucket: string; name: string }>

/** Adds the endpoints for resumable uploads of objects, authorized by a sign-in, a key or a signed token. */
export function addResumableObjectRoutes(
  endpoints: Endpoints,
  deps: { protocol: TusProtocol<StorageCaller>; links: UploadLinks; findPlace: FindSignedPlace },
): void {
  const { protocol, links, findPlace } = deps
  const isUpsert = (request: FastifyRequest): boolean => request.headers['x-upsert'] === 'true'

  endpoints.add(tusCreate, ({ user, ...exchange }) =>
    protocol.create(exchange, user, { path: TUS_PATH, replaces: isUpsert(exchange.request) }),
  )
  endpoints.add(tusHead, ({ user, params, ...exchange }) => protocol.head(exchange, user, params.id))
  endpoints.add(tusWrite, ({ user, params, ...exchange }) => protocol.write(exchange, user, params.id))
  endpoints.add(tusRemove, ({ user, params, ...exchange }) => protocol.remove(exchange, user, params.id))

  const verify = (request: FastifyRequest, { bucket, name }: { bucket: string; name: string }) => {
    const { 'x-signature': token } = request.headers
    return links.read(typeof token === 'string' ? token : undefined, { bucket, name: readObjectName(name) })
  }
  const signedBy = async (request: FastifyRequest, id: string) => verify(request, await findPlace(id))

  endpoints.add(tusCreateSigned, async (exchange) => {
    const { request } = exchange
    const place = placeOf({ metadata: readMetadata(metadataHeaderOf(request)) })
    const { signer, replaces, tokenHash, bucketUid } = await verify(request, place)
    return protocol.create(exchange, signer, {
      path: `${TUS_PATH}/sign`,
      replaces,
      tokenHash,
      targetId: bucketUid,
    })
  })
  endpoints.add(tusHeadSigned, async ({ params, ...exchange }) => {
    const { signer, tokenHash } = await signedBy(exchange.request, params.id)
    return protocol.head(exchange, signer, params.id, tokenHash)
  })
  endpoints.add(tusWriteSigned, async ({ params, ...exchange }) => {
    const { signer, tokenHash } = await signedBy(exchange.request, params.id)
    return protocol.write(exchange, signer, params.id, tokenHash)
  })
  endpoints.add(tusRemoveSigned, async ({ params, ...exchange }) => {
    const { signer, tokenHash } = await signedBy(exchange.request, params.id)
    return protocol.remove(exchange, signer, params.id, tokenHash)
  })
}
