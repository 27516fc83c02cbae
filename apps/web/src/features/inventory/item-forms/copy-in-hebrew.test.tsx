import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { expect, it } from 'vitest'

it('the proposed Hebrew name of a copied item has no characters that only keep directions apart', async () => {
  localStorage.setItem('pegasus-ops-language', 'he')
  try {
    const { copyOf } = await import('./item-form.ts')
    const { name } = copyOf({ name: 'Dragon' } as InventoryItem)
    expect(name).toMatch(/Dragon.*[א-ת]/)
    expect(name).not.toMatch(/[\u2066-\u2069]/)
  } finally {
    localStorage.removeItem('pegasus-ops-language')
  }
})
