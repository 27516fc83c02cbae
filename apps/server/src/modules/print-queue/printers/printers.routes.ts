import {
  clearPrinter,
  createPrinter,
  deletePrinter,
  getPrinter,
  getPrinterCamera,
  listPrinters,
  loadPrinter,
  restorePrinter,
  resumePrinter,
  startPrinterMaintenance,
  testPrinter,
  updatePrinter,
} from '@pegasus/contracts/print-queue/printers'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { mapPage } from '../../../platform/http/paging.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import type { MachineSteps } from './machine-steps.service.ts'
import { presentPrinter } from './printers.present.ts'
import type { Printers } from './printers.service.ts'

type PrinterRow = Parameters<typeof presentPrinter>[0]

interface PrinterRoutesDeps {
  printers: Printers
  machine: MachineSteps
  signer: PathSigner
  clock: Clock
  currency: string
}

export function addPrinterRoutes(endpoints: Endpoints, deps: PrinterRoutesDeps): void {
  const { printers, signer, clock, currency } = deps
  const show = (row: PrinterRow, { user: { role } }: { user: { role: string } }) =>
    presentPrinter(row, { signer, currency, now: clock.now(), role })

  endpoints.add(listPrinters, async ({ query, user }) => {
    const { search, state, sort, cursor, limit } = query
    const inTrashSince = query.deleted && trashCutoff(clock.now())
    const page = await printers.list(
      { search, state, spoolId: query.filament_id, needsPerson: query.needs_person === 'true', inTrashSince },
      { sort, cursor, limit },
    )
    return mapPage(page, (row) => show(row, user))
  })

  endpoints.add(getPrinter, async ({ params, user }) => show(await printers.get(params.id), user))

  endpoints.add(
    createPrinter,
    async ({ body, user, caller }) => (await printers.create(body, user.user.role, caller)).body,
  )

  endpoints.add(updatePrinter, async ({ params, body, user, request, audit }) => {
    const basis = { revision: requiredRevisionIn(request), role: user.user.role }
    return show(await printers.update(params.id, body, basis, audit), user)
  })

  endpoints.add(deletePrinter, async ({ params, user, request, audit }) => {
    await printers.remove(params.id, { revision: revisionIn(request), role: user.user.role }, audit)
  })

  endpoints.add(restorePrinter, async ({ params, user, audit }) =>
    show(await printers.restore(params.id, audit), user),
  )
}

/** Adds the routes for steps that people take at the machine. */
export function addMachineRoutes(endpoints: Endpoints, deps: PrinterRoutesDeps): void {
  const { machine, signer, clock, currency } = deps
  const show = (row: PrinterRow, { user: { role } }: { user: { role: string } }) =>
    presentPrinter(row, { signer, currency, now: clock.now(), role })

  endpoints.add(clearPrinter, ({ params, body, user, caller }) =>
    machine.clear(params.id, body, user.user.role, caller),
  )

  endpoints.add(startPrinterMaintenance, async ({ params, body, user, audit }) => {
    const until = body?.until ?? null
    const details = {
      reason: body?.reason ?? null,
      until: until === null ? null : new Date(until),
      untilAsWritten: until,
    }
    return show(await machine.startMaintenance(params.id, details, audit), user)
  })

  endpoints.add(resumePrinter, async ({ params, user, audit }) =>
    show(await machine.resume(params.id, audit), user),
  )

  endpoints.add(loadPrinter, async ({ params, body, user, audit }) =>
    show(await machine.load(params.id, body, audit), user),
  )

  endpoints.add(testPrinter, ({ params }) => machine.test(params.id))

  endpoints.add(getPrinterCamera, async ({ params, reply }) => {
    const picture = await machine.readCamera(params.id)
    reply.header('cache-control', 'private, no-store')
    // A printer that is switched off is not an error. Browsers would log an error for each missing picture, so send
    // none.
    return picture ? reply.type(picture.contentType).send(Buffer.from(picture.bytes)) : reply.code(204).send()
  })
}
