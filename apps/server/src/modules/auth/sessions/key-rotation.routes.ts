import { listSigningKeys, rotateSigningKey } from '@pegasus/contracts/auth/signing-keys'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { KeyRotation } from './key-rotation.service.ts'

/** Adds the endpoints with which the owner lists and replaces the keys that sign access tokens. */
export function addKeyRotationRoutes(endpoints: Endpoints, { rotation }: { rotation: KeyRotation }): void {
  endpoints.add(listSigningKeys, () => rotation.list())
  endpoints.add(rotateSigningKey, ({ audit }) => rotation.rotate(audit))
}
