import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { type ProductField, type Step, stepOf } from '../product-form/product-form.ts'

/** Moves the focus when the step changes: to the step's first error, or to the field that a person wants to correct. */
export function useStepFocus(
  panel: RefObject<HTMLDivElement | null>,
  step: Step,
  goTo: (step: Step) => void,
) {
  const wanted = useRef<ProductField | null>(null)
  const shown = useRef(step)
  const focus = useEffectEvent(() => {
    const field = wanted.current
    wanted.current = null
    const control = field ? panel.current?.querySelector<HTMLElement>(`[name="${field}"]`) : null
    // Scroll to the beginning of the step, including the bar of steps.
    panel.current?.parentElement?.scrollIntoView({ block: 'start' })
    if (control) control.focus()
    else panel.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    focus()
  }, [step, panel])
  return {
    focusField: (field: ProductField) => {
      wanted.current = field
      goTo(stepOf(field))
    },
  }
}
