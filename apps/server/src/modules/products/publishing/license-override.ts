import { isAdmin } from '@pegasus/contracts/roles'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { type GateReason, readSaleGate } from '../../stl-library/index.ts'
import { writeOverride } from '../catalog/product-changes.queries.ts'
import type { ProductRow } from '../catalog/products.queries.ts'

/** A person's request to sell a product that the license gate blocks, with the reason. */
interface OverrideRequest {
  reason: string | undefined
  role: string
}

const blocksOf = (reasons: readonly GateReason[]): GateReason[] =>
  reasons.filter(({ kind }) => kind === 'block')

/**
 * Checks the license gate of a product. Throws LICENSE_BLOCKED with the findings if the gate blocks the product. A
 * reason from an admin opens the gate. The reason is recorded, and stays valid as long as the findings stay the same.
 * Throws FORBIDDEN for a reason from anyone else.
 */
export async function assertMaySell(
  tx: Queryable,
  product: ProductRow,
  override: OverrideRequest,
  by: AuditContext,
): Promise<void> {
  const gate = await readSaleGate(tx, { license: product.license, modelIds: product.stl_file_ids })
  if (gate.verdict !== 'blocked') return
  const blocks = blocksOf(gate.reasons)
  const overruled = blocks.map(({ text }) => text).sort()
  if (product.license_override?.overruled.join('\n') === overruled.join('\n')) return
  const { reason, role } = override
  if (reason === undefined)
    throw new AppError('LICENSE_BLOCKED', {
      text: blocks.map(({ text }) => text).join(' '),
      errors: blocks.map(({ modelId, text }) => ({
        path: modelId === null ? 'license' : 'stl_file_ids',
        message: text,
      })),
    })
  if (!isAdmin(role))
    throw new AppError('FORBIDDEN', {
      text: 'Only an admin or owner can allow a sale that the license forbids.',
    })
  const written = { reason, by: by.actor.name, at: by.now.toISOString(), overruled }
  await writeOverride(tx, product.id, written)
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
