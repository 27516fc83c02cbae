import { openLabelCode, scanCode } from '@pegasus/contracts/labels/scan'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { presentFound } from './scan.present.ts'
import type { Scan } from './scan.service.ts'

export function addScanRoutes(endpoints: Endpoints, deps: { scan: Scan; signer: PathSigner }): void {
  const { scan, signer } = deps

  endpoints.add(scanCode, async ({ query, user }) => {
    const found = await scan.find(query.code)
    return { found: found && presentFound(found, { signer, role: user.user.role }) }
  })

  endpoints.add(openLabelCode, async ({ params, user }) =>
    presentFound(await scan.get(params.code), { signer, role: user.user.role }),
  )
}
