import { wordSet } from "./argument-kind.ts"
import { nameWords } from "./name-words.ts"
import { isSecretKey } from "./secret-key.ts"

/**
 * Whether a file or folder of this name is likely to hold what is not for everyone: secrets, keys, credentials, settings of programs (names that
 * begin with a dot). Errs towards yes.
 */
export function isSensitiveName(name: string): boolean {
  if (/^\.[^.*?]/.test(name) || keyFile.test(name)) return true
  // Looked for first, since most names have none of them.
  if (!telling.test(name)) return false
  const words = nameWords(name)
  return words.some((word) => sensitiveWords.has(word)) || isSecretKey(name.replace(ending, ""))
}

const telling =
  /secret|cred|pass|token|key|priv|confid|vault|wallet|mnemonic|env|payroll|salar|auth|cookie|bearer|connectionstring|pwd|jwt|otp|pin|cvv|cvc|ssn|pat/i

const ending = /\.\w{1,8}$/

const keyFile =
  /(?:\.(?:env|pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|crt|cer|der|htpasswd|pgpass|netrc|tfvars|tfstate))$|^(?:id_(?:rsa|dsa|ecdsa|ed25519)\b|env(?:\.|$)|authorized_keys|known_hosts|shadow$|passwd$|kubeconfig)/i

const sensitiveWords = wordSet(`
  secret secrets credential credentials cred creds password passwords passwd passphrase token tokens key keys apikey apikeys keychain keystore keyring
  private confidential vault wallet mnemonic env dotenv htpasswd payroll salary salaries`)

/** Whether the folders below one of this name belong to different people. */
export function holdsPeoplesFolders(name: string): boolean {
  return peoplesFolders.has(name.toLowerCase())
}

const peoplesFolders = wordSet("home homes users people persons staff employees members personal profiles")
