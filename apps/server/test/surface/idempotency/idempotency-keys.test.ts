import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../support/build-test-app.ts'

/** Calls of our own API that need no `Idempotency-Key`, by the reason. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'signs in, or confirms an identity': [
    '/auth/login',
    '/api/auth/change-password',
    '/api/auth/reauthenticate',
    '/api/auth/admin/reset-password',
    '/api/sso-providers/:id/test',
  ],
  'only reads or draws: nothing is stored': [
    '/api/labels',
    '/api/labels/sheet',
    '/api/orders/packing-slips',
    '/api/products/review',
    '/api/printers/:id/test',
  ],
  'sets a state that a repeated call finds as it is, or that only one call can leave': [
    '/api/alerts/:id/read',
    '/api/demo',
    '/api/demo/visit',
    '/api/alerts/read',
    '/api/filament/:id/archive',
    '/api/filament/:id/unarchive',
    '/api/filament/:id/dry',
    '/api/inventory/:id/cost',
    '/api/inventory/bulk',
    '/api/inventory/replenishment/proposals/dismiss',
    '/api/inventory/replenishment/proposals/restore',
    '/api/labels/printed',
    '/api/orders/:id/cancel',
    '/api/orders/:id/complete',
    '/api/orders/:id/hold',
    '/api/orders/:id/resume',
    '/api/orders/refused/dismiss',
    '/api/orders/unknown-skus/forget',
    '/api/orders/unknown-skus/ignore',
    '/api/orders/unknown-skus/map',
    '/api/print-queue/:id/assign',
    '/api/print-queue/:id/cancel',
    '/api/print-queue/:id/fail',
    '/api/print-queue/:id/hold',
    '/api/print-queue/:id/merge',
    '/api/print-queue/:id/pause',
    '/api/print-queue/:id/resume',
    '/api/print-queue/:id/schedule',
    '/api/print-queue/reorder',
    '/api/print-queue/schedule',
    '/api/printers/:id/load',
    '/api/printers/:id/maintenance',
    '/api/printers/:id/photo',
    '/api/printers/:id/resume',
    '/api/products/:id/accept',
    '/api/products/:id/check',
    '/api/stl-files/bulk',
    '/api/stl-files/:id/slicings/:slicing_id/cancel',
    '/api/stl-versions/:id/make-current',
  ],
  'undoes one change, which cannot be undone twice': [
    '/api/orders/:id/undo-return',
    '/api/orders/:id/undo-shipment',
    '/api/print-queue/:id/undo',
    '/api/spool-entries/:id/undo',
    '/api/stock-movements/:id/undo',
  ],
  'does for each object only what is still open': ['/api/orders/sync', '/api/system/failed-tasks/:id/retry'],
  'is stored under a name of the caller, so a repeated call replaces the row': [
    '/api/push/devices',
    '/spoolman/api/v1/field/:entity/:key',
    '/spoolman/api/v1/setting/:key',
  ],
  'sends a message again because a person asks for it': [
    '/api/auth/users/:id/invitation',
    '/api/channels/:id/deliveries/:delivery_id/replay',
    '/api/channels/:id/replay-failed',
    '/api/channels/:id/test',
    '/api/push/devices/:id/deliveries/:delivery_id/replay',
    '/api/push/devices/:id/test',
  ],
  'replaces a key, and its response is not stored': [
    '/api/channels/:id/rotate-key',
    '/api/signing-keys/rotate',
  ],
  'belongs to the protocol of printer agents, in which the lease identifies a claim': [
    '/api/print-jobs/claim',
    '/api/print-jobs/:id/heartbeat',
  ],
  'is sent by a shop, whose events have ids of their own': ['/api/integration/webhooks/:adapter'],
}

/**
 * Returns whether a call restores an object from the trash. Such a call needs no key, because repeating it changes
 * nothing.
 */
const restores = (path: string): boolean =>
  path.endsWith('/:id/restore') || path.endsWith('/:slice_id/restore')

describe('Idempotency-Key on the whole API', () => {
  it('T93 every POST that creates, starts or publishes accepts an Idempotency-Key, and each exception has a reason', async () => {
    const app = await buildTestApp()
    const posts = app.endpoints.all.filter(({ method }) => method === 'POST')
    const withKey = posts.filter(({ errors }) => errors.includes('IDEMPOTENCY_KEY_REUSED'))
    // The hosted service and resumable uploads have protocols of their own.
    const own = posts.filter(({ dialect = 'product' }) => dialect === 'product')
    const without = own.filter((endpoint) => !withKey.includes(endpoint)).map(({ path }) => path)
    const exceptions = Object.values(EXCEPTIONS).flat()
    const missing = without.filter((path) => !restores(path) && !exceptions.includes(path))
    const needless = exceptions.filter((path) => !without.includes(path as (typeof without)[number]))
    console.info(
      `T93 calls with an Idempotency-Key ${withKey.length}, without it and without a reason ${missing.length}`,
    )
    expect({ missing, needless }).toEqual({ missing: [], needless: [] })
    // The function that reads the key also refuses an invalid key as a malformed request, so each of these calls
    // declares that error.
    const unchecked = withKey.filter(({ errors }) => !errors.includes('MALFORMED_REQUEST'))
    expect(unchecked.map(({ path }) => path)).toEqual([])
  })

  it('a POST that responds with 201 or 202 is never an exception', async () => {
    const app = await buildTestApp()
    const exceptions = new Set(Object.values(EXCEPTIONS).flat())
    const creating = app.endpoints.all.filter(
      ({ method, path, success }) =>
        method === 'POST' && exceptions.has(path) && [201, 202].includes(success.status),
    )
    expect(creating.map(({ path }) => path)).toEqual([])
  })
})
