/** Digests of the sections of Photon's constitution, version 2.0, which code enforces (read-prose.ts). */
export const knownSections: ReadonlySet<string> = new Set([
  'd0bd58b548676920', // Photon Agent Constitution v2.0
  '9d91c4d4347257cf', // Purpose
  'bf4a4e6c5a641bb5', // Agent Identity (Non-Persona)
  'fb0dba9392a57013', // Execution Model
  '16e2eeb75b606a40', // IO Constraints
  'd5d4d2078f923f43', // Navigation Constraints
  '83e9a3cdb90a95a5', // Write Constraints
  'c35916a8183607f5', // Patch Semantics
  'a688cd183eecd10c', // Planning Rules
  '67a50d3314d6139d', // Think and use tools
  '326b8ce285035438', // Skill Definition
  'de6228be02eef171', // Skill Allowlist
  '17dede45a24afe08', // Skill Activation Rules
  'f79a7e7dd313f030', // Skill Lifecycle
  '8dd7d3a36e86bb5d', // Skill Prompt Injection
  'a15f3a72e438d2c6', // Tool Contract
  '54f1ca3343fe4369', // Short-Term Memory
  '1fa6d8552ea10122', // Long-Term Memory
  '7592c60af79ce3aa', // Output Policy
  '8b8fcb0884d7df25', // Clarification Policy
  '5b99fa38b662c562', // Failure Semantics
  '97a199ff6376a4f9', // Versioning
  'f73ee6b3a1957cdc', // Authority
]);
