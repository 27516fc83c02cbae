import { isAdmin } from '@pegasus/contracts/roles'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { type GateReason, readSaleGate } from '../../stl-library/index.ts'
import { writeOverride } from '../catalogue/product-changes.queries.ts'
import type { ProductRow } from '../catalogue/products.queries.ts'

/** Who overrides the licence gate, and why. */
export interface OverrideWish {
  reason: string | undefined
  role: string
}

const blocksOf = (reasons: readonly GateReason[]): GateReason[] =>
  reasons.filter(({ kind }) => kind === 'block')

/**
 * Lets a product through the licence gate, or throws LICENSE_BLOCKED with the findings. An admin's reason opens the
 * gate; it is recorded and valid as long as the findings stay the same. Throws FORBIDDEN for a reason from others.
 */
export async function assertMaySell(
  tx: Queryable,
  product: ProductRow,
  wish: OverrideWish,
  by: AuditContext,
): Promise<void> {
  const gate = await readSaleGate(tx, { license: product.license, modelIds: product.stl_file_ids })
  if (gate.verdict !== 'blocked') return
  const blocks = blocksOf(gate.reasons)
  const overruled = blocks.map(({ text }) => text).sort()
  if (product.license_override?.overruled.join('\n') === overruled.join('\n')) return
  const { reason, role } = wish
  if (reason === undefined)
    throw new AppError('LICENSE_BLOCKED', {
      say: blocks.map(({ text }) => text).join(' '),
      errors: blocks.map(({ modelId, text }) => ({
        path: modelId === null ? 'license' : 'stl_file_ids',
        message: text,
      })),
    })
  if (!isAdmin(role))
    throw new AppError('FORBIDDEN', { say: 'Only an admin or owner can allow selling against a license.' })
  const override = { reason, by: by.actor.name, at: by.now.toISOString(), overruled }
  await writeOverride(tx, product.id, override)
  await writeAudit(
    tx,
    {
      action: 'product.license_overridden',
      entity: 'product',
      entityId: product.id,
      entityName: product.name,
      after: { reason, overruled },
    },
    by,
  )
}
