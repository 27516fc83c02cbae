import { Undo2 } from 'lucide-react'
import { Button, type ButtonProps } from './button.tsx'

/** A small button that reverses an action: Undo, Restore. */
export const UndoButton = (props: Omit<ButtonProps, 'size' | 'icon'>) => (
  <Button {...props} size="sm" icon={<Undo2 size={14} strokeWidth={1.75} aria-hidden />} />
)
