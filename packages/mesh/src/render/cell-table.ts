/**
 * A hash table that numbers the cells of a grid in the order of their first use. It uses open addressing, with the
 * three whole coordinates of a cell as the key. The hash factors are random, so that nobody can prepare a file whose
 * cells all collide. The assigned numbers do not depend on the factors.
 */
export type CellTable = {
  readonly count: number
  /** The coordinates x, y, z of each cell. */
  readonly cells: Int32Array<ArrayBuffer>
  find(x: number, y: number, z: number): number
}

export function createCellTable(): CellTable {
  const factors = Array.from({ length: 3 }, () => (Math.random() * 0x1_0000_0000) | 1)
  let slots = new Int32Array(1024)
  let cells = new Int32Array(3 * 512)
  let count = 0

  function slotOf(x: number, y: number, z: number): number {
    let hash = Math.imul(x ^ (x >>> 15), factors[0]!)
    hash = Math.imul(hash ^ (hash >>> 16) ^ y, factors[1]!)
    hash = Math.imul(hash ^ (hash >>> 16) ^ z, factors[2]!)
    return (hash ^ (hash >>> 15)) & (slots.length - 1)
  }

  function grow() {
    const grown = new Int32Array(2 * cells.length)
    grown.set(cells)
    cells = grown
    slots = new Int32Array(2 * slots.length)
    for (let id = 0; id < count; id++) {
      let slot = slotOf(cells[3 * id]!, cells[3 * id + 1]!, cells[3 * id + 2]!)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = id + 1
    }
  }

  return {
    get count() {
      return count
    },
    get cells() {
      return cells
    },
    find(x, y, z) {
      let slot = slotOf(x, y, z)
      for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
        const at = 3 * (entry - 1)
        if (cells[at] === x && cells[at + 1] === y && cells[at + 2] === z) return entry - 1
        slot = (slot + 1) & (slots.length - 1)
      }
      if (2 * (count + 1) > slots.length) {
        grow()
        return this.find(x, y, z)
      }
      slots[slot] = count + 1
      cells[3 * count] = x
      cells[3 * count + 1] = y
      cells[3 * count + 2] = z
      return count++
    },
  }
}
