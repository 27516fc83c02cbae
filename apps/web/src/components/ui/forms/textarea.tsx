import type { ComponentProps } from 'react'
import { cx } from '@/lib/class-names.ts'
import { controlClass } from './control-class.ts'
import { useFieldControl } from './field-context.ts'

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  const field = useFieldControl()
  return (
    <textarea {...field} {...rest} rows={rows} className={cx(controlClass, 'block px-2.5 py-2', className)} />
  )
}
