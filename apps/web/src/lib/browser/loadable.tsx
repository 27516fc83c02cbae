import { type ComponentType, lazy, Suspense, useState } from 'react'

export interface Loadable<Props> {
  Component: ComponentType<Props>
  /** Loads the component in advance, so that it appears at once. A failure is reported when the component is shown. */
  preload: () => Promise<void>
}

/**
 * Wraps a component that is loaded when it is first shown. If it is loaded already, it renders at once, unlike a
 * component of `lazy`.
 */
export function loadable<Props extends object>(load: () => Promise<ComponentType<Props>>): Loadable<Props> {
  let loaded: ComponentType<Props> | null = null
  const remember = async () => {
    loaded = await load()
    return { default: loaded }
  }
  const Waiting = lazy(remember) as ComponentType<Props>
  function Component(props: Props) {
    // The component stays the same until it is unmounted, because another one would lose the state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Waiting)
    return <Shown {...props} />
  }
  const preload = () =>
    remember().then(
      () => undefined,
      () => undefined,
    )
  return { Component, preload }
}

/**
 * Wraps a dialog or another late part of a page. It is loaded when it is first shown, and the page stays unchanged
 * meanwhile.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const { Component } = loadable(load)
  return (props) => (
    <Suspense fallback={null}>
      <Component {...props} />
    </Suspense>
  )
}
