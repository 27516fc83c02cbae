import { type Direction, NAMED_VIEWS } from './scene/view-math.ts'

export type ViewerCommand =
  | { kind: 'fit' }
  | { kind: 'look'; direction: Direction }
  | { kind: 'turn'; leftDegrees: number; upDegrees: number }
  | { kind: 'zoom'; factor: number }

const TURN_DEGREES = 10
export const ZOOM_STEP = 1.25

type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>

/**
 * Returns whether a key that is pressed outside the 3D view may control it: nobody is typing, and no dialog
 * or menu has the focus.
 */
export function isFreeKey({ key, target }: Pick<KeyboardEvent, 'key' | 'target'>): boolean {
  if (key.startsWith('Arrow') || !(target instanceof Element)) return false
  return (
    target.closest(
      'input:not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu]',
    ) === null
  )
}

/** Returns the command for a key that is pressed on the 3D view; null if the key has none. */
export function viewerCommand({ key, altKey, ctrlKey, metaKey }: KeyPress): ViewerCommand | null {
  if (altKey || ctrlKey || metaKey) return null
  const view = /^[1-6]$/.test(key) ? NAMED_VIEWS[Number(key) - 1] : undefined
  if (view) return { kind: 'look', direction: view }
  switch (key) {
    case 'f':
    case 'F':
      return { kind: 'fit' }
    case '+':
    case '=':
      return { kind: 'zoom', factor: ZOOM_STEP }
    case '-':
      return { kind: 'zoom', factor: 1 / ZOOM_STEP }
    case 'ArrowLeft':
      return { kind: 'turn', leftDegrees: TURN_DEGREES, upDegrees: 0 }
    case 'ArrowRight':
      return { kind: 'turn', leftDegrees: -TURN_DEGREES, upDegrees: 0 }
    case 'ArrowUp':
      return { kind: 'turn', leftDegrees: 0, upDegrees: TURN_DEGREES }
    case 'ArrowDown':
      return { kind: 'turn', leftDegrees: 0, upDegrees: -TURN_DEGREES }
    default:
      return null
  }
}
