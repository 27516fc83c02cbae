import { SKU_MAX_LENGTH } from '@pegasus/contracts/inventory/items'

/**
 * Returns a SKU for an item that has no id in the shop's catalog. It consists of the prefix of the shop and the
 * beginning of the name in lower case, for example `woo:gift wrap`. Returns an empty text if the item has no name.
 */
export function skuOfName(prefix: string, name: string): string {
  const start = `${prefix}:`
  const text = name
    .toLowerCase()
    .slice(0, SKU_MAX_LENGTH - start.length)
    .toWellFormed()
    .trim()
  return text && start + text
}
