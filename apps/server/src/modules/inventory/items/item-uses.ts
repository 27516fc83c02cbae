import { pieces } from '../stock/quantity-text.ts'
import type { ItemUses } from './item-changes.queries.ts'

const listOf = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/**
 * The reason why an item cannot be deleted yet and the remedy; null if it can be deleted. Finished jobs, orders and
 * unpublished products store the item's name, so they do not prevent it.
 */
export function reasonToKeep({
  reserved_quantity: reserved,
  print_jobs: jobs,
  products,
}: ItemUses): string | null {
  const reasons: string[] = []
  const remedies: string[] = []
  if (jobs > 0) {
    reasons.push(jobs === 1 ? '1 print job is to print it' : `${jobs} print jobs are to print it`)
    remedies.push(jobs === 1 ? 'finish or cancel that job' : 'finish or cancel those jobs')
  }
  if (reserved > 0) {
    reasons.push(`${pieces(reserved)} reserved`)
    remedies.push('release what is reserved')
  }
  if (products.length > 0) {
    const names = listOf(products.map((name) => `“${name}”`))
    reasons.push(
      products.length === 1
        ? `the product ${names} is sold from it`
        : `the products ${names} are sold from it`,
    )
    remedies.push(
      products.length === 1 ? 'link that product to another item' : 'link those products to other items',
    )
  }
  if (reasons.length === 0) return null
  return `This item cannot be deleted yet: ${listOf(reasons)}. Please ${listOf(remedies)} first.`
}
