import { describe, expect, it } from 'vitest'
import { findBreach, resolveImport } from './zones.ts'

const REFUSED = [
  ['apps/server/src/platform/http/app.ts', 'apps/server/src/modules/orders/index.ts'],
  ['apps/server/src/platform/http/app.ts', 'apps/server/src/app.ts'],
  [
    'apps/server/src/modules/orders/orders.service.ts',
    'apps/server/src/modules/inventory/items/item-list.service.ts',
  ],
  ['apps/server/src/modules/orders/deep/a.ts', 'apps/server/src/modules/inventory/deep/index.ts'],
  ['apps/server/src/modules/orders/orders.queries.ts', 'apps/server/src/modules/orders/orders.service.ts'],
  [
    'apps/server/src/modules/auth/auth.routes.ts',
    'apps/server/src/modules/auth/accounts/accounts.queries.ts',
  ],
  ['apps/server/src/modules/orders/orders.routes.ts', 'apps/server/src/modules/orders/orders.queries.ts'],
  [
    'apps/server/src/modules/auth/hosted/hosted-auth.routes.ts',
    'apps/server/src/modules/auth/auth.routes.ts',
  ],
  [
    'apps/server/src/modules/auth/sessions/guard.ts',
    'apps/server/src/modules/auth/sign-in/sign-in.service.ts',
  ],
  ['apps/server/src/modules/auth/passwords/rules.ts', 'apps/server/src/modules/auth/sessions/guard.ts'],
  ['apps/server/src/modules/auth/sessions/guard.ts', 'apps/server/src/modules/auth/index.ts'],
  ['apps/server/src/modules/auth/sessions/guard.ts', 'apps/server/src/modules/auth/unheard-of/a.ts'],
  ['apps/server/src/modules/orders/orders.service.ts', 'apps/server/src/app.ts'],
  ['apps/server/src/modules/orders/orders.service.ts', 'apps/server/test/factories.ts'],
  ['apps/server/src/app.ts', 'apps/web/src/lib/format/format.ts'],
  ['apps/server/src/main.ts', 'apps/server/demo/prepare-demo.ts'],
  ['apps/web/src/lib/http/api.ts', 'apps/server/src/config.ts'],
  ['packages/contracts/src/orders.ts', 'apps/server/src/config.ts'],
  ['packages/mesh/src/stl.ts', 'apps/web/src/lib/format/format.ts'],
  ['apps/web/src/components/ui/actions/button.tsx', 'apps/web/src/features/orders/list/order-list.tsx'],
  ['apps/web/src/lib/http/api.ts', 'apps/web/src/features/orders/list/order-list.tsx'],
  ['apps/web/src/features/orders/list/order-list.tsx', 'apps/web/src/features/inventory/spool.tsx'],
  ['apps/web/src/features/orders/list/order-list.tsx', 'apps/web/src/features/inventory/index.ts'],
  ['apps/web/src/features/orders/list/order-list.tsx', 'apps/web/src/routes/orders.tsx'],
] as const

const ALLOWED = [
  ['apps/server/src/modules/orders/orders.service.ts', 'apps/server/src/modules/inventory/index.ts'],
  ['apps/server/src/modules/orders/orders.service.ts', 'apps/server/src/platform/database/database.ts'],
  ['apps/server/src/modules/orders/orders.routes.ts', 'apps/server/src/modules/orders/orders.service.ts'],
  ['apps/server/src/modules/orders/orders.service.ts', 'apps/server/src/modules/orders/orders.queries.ts'],
  [
    'apps/server/src/modules/auth/auth.routes.test.ts',
    'apps/server/src/modules/auth/accounts/accounts.queries.ts',
  ],
  [
    'apps/server/src/modules/auth/sign-in/sign-in.service.ts',
    'apps/server/src/modules/auth/sessions/guard.ts',
  ],
  ['apps/server/src/modules/auth/sessions/guard.ts', 'apps/server/src/modules/auth/accounts/admission.ts'],
  ['apps/server/src/modules/auth/index.ts', 'apps/server/src/modules/auth/hosted/hosted-auth.routes.ts'],
  ['apps/server/src/modules/orders/orders.routes.test.ts', 'apps/server/test/factories.ts'],
  ['apps/server/src/app.ts', 'apps/server/src/modules/orders/index.ts'],
  ['apps/server/src/config.ts', 'packages/contracts/src/roles.ts'],
  ['apps/web/src/routes/orders.tsx', 'apps/web/src/features/orders/list/order-list.tsx'],
  ['apps/web/src/features/orders/list/order-list.tsx', 'apps/web/src/components/ui/actions/button.tsx'],
  ['e2e/orders.spec.ts', 'apps/server/test/factories.ts'],
] as const

describe('the lint zones', () => {
  it.each(REFUSED)('the lint zones do not allow %s to import %s', (from, to) => {
    expect(findBreach(from, to)).toEqual(expect.any(String))
  })

  it.each(ALLOWED)('the lint zones allow %s to import %s', (from, to) => {
    expect(findBreach(from, to)).toBeNull()
  })

  it.each([
    ['../inventory/b.ts', 'apps/server/src/modules/inventory/b.ts'],
    ['@pegasus/contracts/orders', 'packages/contracts/src/orders.ts'],
    ['@/lib/http/api.ts', 'apps/web/src/lib/http/api.ts'],
    ['zod/mini', null],
    ['node:fs', null],
  ])('the lint zones resolve the import of %s', (specifier, path) => {
    expect(resolveImport('apps/server/src/modules/orders/a.ts', specifier)).toBe(path)
  })
})
