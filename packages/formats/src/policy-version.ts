import type { Hasher, Policy } from "@byleave/core"

/** A short name for what a policy says. Where it was written, and its layout, do not count. */
export function policyVersion(policy: Omit<Policy, "version">, hasher: Hasher): string {
  const meaning = {
    ...policy,
    rules: policy.rules.map(({ origin: _origin, ...rule }) => rule),
    classify: policy.classify.map(({ origin: _origin, ...rule }) => rule),
  }
  return hasher.sha256(JSON.stringify(meaning)).slice(0, 16)
}
