import {
  cancelModelImport,
  chooseArchiveEntries,
  getModelImport,
  listModelImports,
  retryModelImport,
} from '@pegasus/contracts/stl-library/imports'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { decodeCursor, mapPage } from '../../../platform/http/paging.ts'
import type { ImportSteps } from './import-steps.service.ts'
import { presentImport } from './imports.present.ts'
import type { Imports } from './imports.service.ts'

export function addImportRoutes(
  endpoints: Endpoints,
  { imports, steps }: { imports: Imports; steps: ImportSteps },
): void {
  endpoints.add(listModelImports, async ({ query, user }) => {
    const page = await imports.list(user.accountId, {
      cursor: decodeCursor(query.cursor),
      limit: query.limit,
    })
    return mapPage(page, presentImport)
  })

  endpoints.add(getModelImport, async ({ params, user }) =>
    presentImport(await imports.get(user.accountId, params.id)),
  )

  endpoints.add(chooseArchiveEntries, async ({ params, body, user, request }) => {
    const by = { accountId: user.accountId, idempotencyKey: idempotencyKeyOf(request) }
    return steps.choose(by, params.id, body.entries)
  })

  endpoints.add(retryModelImport, async ({ params, user, request }) => {
    const by = { accountId: user.accountId, idempotencyKey: idempotencyKeyOf(request) }
    return steps.retry(by, params.id)
  })

  endpoints.add(cancelModelImport, async ({ params, user }) => steps.cancel(user.accountId, params.id))
}
