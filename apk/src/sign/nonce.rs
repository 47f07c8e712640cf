//! Nonces for ECDSA on P-521 after RFC 6979 §3.2, where the library would draw random ones: the
//! same package is to have the same bytes whenever it is signed.

use hmac::{Hmac, Mac};
use rsa::rand_core::{CryptoRng, Error, RngCore};
use sha2::Sha512;

/// Bytes of a number modulo the order of P-521, which has 521 bits.
pub(super) const BYTES: usize = 66;
/// Bits by which a number of [`BYTES`] bytes is longer than the order.
const EXCESS: usize = 8 * BYTES - 521;

/// Gives the candidates for the nonce one after the other: one for each request of [`BYTES`] bytes.
/// They are secret.
pub(super) struct Nonces {
    key: [u8; 64],
    value: [u8; 64],
    fresh: bool,
}

impl Nonces {
    /// For a private key and the number that is signed, both big-endian.
    pub(super) fn new(private: &[u8], number: &[u8; BYTES]) -> Nonces {
        let mut nonces = Nonces { key: [0; 64], value: [1; 64], fresh: true };
        for round in [0, 1] {
            nonces.key = mac(&nonces.key, &[&nonces.value, &[round], private, number]);
            nonces.value = mac(&nonces.key, &[&nonces.value]);
        }
        nonces
    }

    fn next(&mut self) -> [u8; BYTES] {
        if !self.fresh {
            self.key = mac(&self.key, &[&self.value, &[0]]);
            self.value = mac(&self.key, &[&self.value]);
        }
        self.fresh = false;
        let first = mac(&self.key, &[&self.value]);
        self.value = mac(&self.key, &[&first]);
        let bits: Vec<u8> = first.iter().chain(&self.value).copied().take(BYTES).collect();
        // The leftmost 521 bits of them.
        let shifted =
            |i: usize| bits[i] >> EXCESS | if i == 0 { 0 } else { bits[i - 1] << (8 - EXCESS) };
        std::array::from_fn(shifted)
    }
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 64] {
    let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("HMAC takes keys of any length");
    parts.iter().for_each(|p| mac.update(p));
    mac.finalize().into_bytes().into()
}

impl RngCore for Nonces {
    fn next_u32(&mut self) -> u32 {
        let n = self.next();
        u32::from_be_bytes([n[62], n[63], n[64], n[65]])
    }

    fn next_u64(&mut self) -> u64 {
        u64::from(self.next_u32()) << 32 | u64::from(self.next_u32())
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(BYTES) {
            part.copy_from_slice(&self.next()[..part.len()]);
        }
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

impl CryptoRng for Nonces {}

#[cfg(test)]
mod tests {
    use p521::ecdsa::signature::hazmat::RandomizedPrehashSigner;
    use sha2::{Digest, Sha512};

    use super::*;

    fn number(hex: &str) -> [u8; BYTES] {
        let hex = format!("{hex:0>132}");
        std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
    }

    /// RFC 6979, A.2.7: P-521, SHA-512, message "sample".
    #[test]
    fn the_signature_of_rfc_6979() {
        let private = number(
            "0FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA896EB32F1F47C7\
             0855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538",
        );
        let mut digest = [0; BYTES];
        digest[2..].copy_from_slice(&Sha512::digest(b"sample"));
        let k = number(
            "1DAE2EA071F8110DC26882D4D5EAE0621A3256FC8847FB9022E2B7D28E6F10198B1574FDD03A9053\
             C08A1854A168AA5A57470EC97DD5CE090124EF52A2F7ECBFFD3",
        );
        assert_eq!(Nonces::new(&private, &digest).next(), k);
        let key = p521::ecdsa::SigningKey::from_slice(&private).unwrap();
        let signature: p521::ecdsa::Signature =
            key.sign_prehash_with_rng(&mut Nonces::new(&private, &digest), &digest).unwrap();
        let r = number(
            "0C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F174E25A1EE9017B5D\
             450606ADD152B534931D7D4E8455CC91F9B15BF05EC36E377FA",
        );
        let s = number(
            "0617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF282623EAA63E5B5C0\
             723D8B8C37FF0777B1A20F8CCB1DCCC43997F1EE0E44DA4A67A",
        );
        assert_eq!(
            (signature.r().to_bytes()[..].to_vec(), signature.s().to_bytes()[..].to_vec()),
            (r.to_vec(), s.to_vec())
        );
    }
}
