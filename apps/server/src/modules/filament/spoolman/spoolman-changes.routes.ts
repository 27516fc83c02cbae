import {
  addSpoolmanFilament,
  addSpoolmanSpool,
  addSpoolmanVendor,
  removeSpoolmanFilament,
  removeSpoolmanSpool,
  removeSpoolmanVendor,
  renameSpoolmanLocation,
  renameSpoolmanValue,
  updateSpoolmanFilament,
  updateSpoolmanSpool,
  updateSpoolmanVendor,
} from '@pegasus/contracts/filament/spoolman-changes'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { RenameValue } from './rename-values.ts'
import type { SpoolmanChanges } from './spoolman-changes.service.ts'
import { presentFilament, presentSpoolmanSpool, presentVendor } from './spoolman.present.ts'

const SUCCESS = { message: 'Success!' } as const

export function addSpoolmanChangeRoutes(
  endpoints: Endpoints,
  {
    changes,
    renameValue,
    currency,
  }: { changes: SpoolmanChanges; renameValue: RenameValue; currency: string },
): void {
  endpoints.add(addSpoolmanVendor, async ({ body, caller }) =>
    presentVendor(await changes.addVendor(body, caller)),
  )
  endpoints.add(updateSpoolmanVendor, async ({ params, body, audit }) =>
    presentVendor(await changes.updateVendor(params.id, body, audit)),
  )
  endpoints.add(removeSpoolmanVendor, async ({ params, audit }) => {
    await changes.removeVendor(params.id, audit)
    return SUCCESS
  })

  endpoints.add(addSpoolmanFilament, async ({ body, caller }) =>
    presentFilament(await changes.addFilament(body, caller), currency),
  )
  endpoints.add(updateSpoolmanFilament, async ({ params, body, audit }) =>
    presentFilament(await changes.updateFilament(params.id, body, audit), currency),
  )
  endpoints.add(removeSpoolmanFilament, async ({ params, audit }) => {
    await changes.removeFilament(params.id, audit)
    return SUCCESS
  })

  endpoints.add(addSpoolmanSpool, async ({ body, caller }) =>
    presentSpoolmanSpool(await changes.addSpool(body, caller), currency),
  )
  endpoints.add(updateSpoolmanSpool, async ({ params, body, audit }) =>
    presentSpoolmanSpool(await changes.updateSpool(params.id, body, audit), currency),
  )
  endpoints.add(removeSpoolmanSpool, async ({ params, audit }) => {
    await changes.removeSpool(params.id, audit)
    return SUCCESS
  })

  endpoints.add(renameSpoolmanValue, async ({ params, body, audit }) => {
    const names = { from: body.value, to: body.new_value }
    return { spools_updated: await renameValue(params.field, names, audit) }
  })
  endpoints.add(renameSpoolmanLocation, async ({ params, body, audit, reply }) => {
    await renameValue('location', { from: params.location, to: body.name }, audit)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body.name))
  })
}
