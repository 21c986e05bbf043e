//! Which action a walk takes next.

/// How much one walk likes each kind of action that it met.
#[derive(Default)]
pub(super) struct Liking {
    kinds: Vec<(&'static str, u64)>,
}

impl Liking {
    /// The odds of a kind beside those of others, drawn when the walk first meets it.
    const ODDS: [u64; 4] = [1, 4, 16, 64];

    /// One of these actions.
    pub fn choose<A: Copy>(
        &mut self,
        possible: &[A],
        kind: impl Fn(&A) -> &'static str,
        random: &mut SplitMix,
    ) -> Option<A> {
        let odds = possible
            .iter()
            .map(|action| self.odds(kind(action), random));
        let odds: Vec<u64> = odds.collect();
        let mut drawn = random.below(odds.iter().sum());
        for (action, odds) in possible.iter().zip(odds) {
            if drawn < odds {
                return Some(*action);
            }
            drawn -= odds;
        }
        None
    }

    fn odds(&mut self, kind: &'static str, random: &mut SplitMix) -> u64 {
        if let Some((_, odds)) = self.kinds.iter().find(|(known, _)| *known == kind) {
            return *odds;
        }
        let odds = Self::ODDS[random.below(Self::ODDS.len() as u64) as usize];
        self.kinds.push((kind, odds));
        odds
    }
}

/// Numbers that look random and are the same for the same seed, in every version and on every
/// machine: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
pub(super) struct SplitMix(pub u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one, each with the same odds (but for one in 2⁵⁰).
    fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the generator's author for seed 1234567.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = SplitMix(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(random.next(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn every_action_is_taken_and_none_where_there_is_none() {
        let mut random = SplitMix(0);
        let kind = |action: &usize| ["send", "send", "break"][*action];
        let mut taken = [0; 3];
        for _ in 0..100 {
            let mut liking = Liking::default();
            for _ in 0..10 {
                let action = liking.choose(&[0, 1, 2], kind, &mut random);
                taken[action.expect("an action")] += 1;
            }
        }
        assert!(taken.iter().all(|times| *times > 200), "{taken:?}");
        assert_eq!(Liking::default().choose(&[], kind, &mut random), None);
    }

    #[test]
    fn a_walk_likes_a_kind_as_much_as_when_it_met_it() {
        let mut random = SplitMix(3);
        let mut liking = Liking::default();
        let odds = liking.odds("send", &mut random);
        liking.odds("break", &mut random);
        assert_eq!(liking.odds("send", &mut random), odds);
    }
}
