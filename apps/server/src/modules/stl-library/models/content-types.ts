import type { ModelFormat } from '@pegasus/contracts/stl-library/models'

/** Media types as registered with IANA (RFC 8081). */
export const MODEL_CONTENT_TYPES: Readonly<Record<ModelFormat, string>> = {
  stl: 'model/stl',
  '3mf': 'model/3mf',
  obj: 'model/obj',
}
